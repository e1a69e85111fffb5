/**
 * What is not on the panel when it is first drawn. The React entry loads it in parallel with the
 * first request; the element has it in its single file. Each screen is a component of its own.
 */
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { LaterScreen as AfterPanel } from './after-panel.tsx'
import { Differences } from './parts/Differences.tsx'
import { unpaidScreen } from './unpaid-screen.tsx'

export { Attention, bringIntoView, CopyDetails, Differences, Growth, Hints, Withdrawal } from './after-panel.tsx'
export { Ago } from './parts/Ago.tsx'
export { PressNote } from './parts/PressNote.tsx'
export { Wallets } from './parts/Wallets.tsx'

/** All screens but the panel. */
export function LaterScreen(props: { handle: SessionState & PaywindowActions }) {
  return unpaidScreen(props.handle, Differences) ?? AfterPanel(props)
}
