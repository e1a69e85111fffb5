/** The bare panel on a page, drawn by React or by Preact in its place. */
import { createRoot } from 'react-dom/client'
import { order } from './order.ts'
import { Panel } from './Panel.tsx'

const shown = await order()
createRoot(document.getElementById('root') as HTMLElement).render(<Panel shown={shown} />)
