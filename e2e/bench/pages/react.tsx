/** The React component in a storefront of nothing else. */
import { Paywindow } from 'paywindow'
import { createRoot } from 'react-dom/client'
import 'paywindow/styles.css'

createRoot(document.getElementById('root') as HTMLElement).render(
  <Paywindow endpoint="/paywindow" reference="order-1042" />,
)
