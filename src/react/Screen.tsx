/**
 * What stands between head and foot. The panel is drawn here; every other screen may have to be loaded.
 */

import type { PaywindowActions, SessionState } from '../session/state.ts'
import { LaterScreen } from './Later.tsx'
import { Preparing } from './states/Preparing.tsx'
import { Waiting } from './states/Waiting.tsx'

/** The screen of a state. */
export function Screen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  if (view.kind === 'preparing') return <Preparing />
  // Another checkout is another set of fields: nothing of the old one may look copied.
  if (view.kind === 'waiting') return <Waiting key={view.checkout.id} checkout={view.checkout} {...handle} />
  return <LaterScreen handle={handle} />
}
