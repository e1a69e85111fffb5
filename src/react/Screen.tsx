/**
 * The part between head and foot. The panel is drawn here; every other screen may have to be loaded first.
 */
import { LaterScreen } from '#later'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { Preparing } from './states/Preparing.tsx'
import { Waiting } from './states/Waiting.tsx'

/** Draws the screen for a state. */
export function Screen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  if (view.kind === 'preparing') return <Preparing />
  // Another checkout gets new fields, so that none of them is still marked as copied.
  if (view.kind === 'waiting') return <Waiting key={view.checkout.id} checkout={view.checkout} {...handle} />
  return <LaterScreen handle={handle} />
}
