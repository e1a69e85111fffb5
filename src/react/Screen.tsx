/**
 * What stands between head and foot. The panel is drawn here; every other screen may have to be loaded.
 */

import { LaterScreen } from '#later'
import type { PaywindowActions, SessionState } from '../session/state.ts'
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
