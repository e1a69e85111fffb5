/**
 * A session that stands still: what a state shows, with a countdown that does not run and buttons
 * that do nothing.
 */
import type { PaywindowActions, SessionState } from '../session/state.ts'
import type { GalleryState } from './states.ts'

const nothing = () => undefined
const checkedAtMs = Date.parse('2026-11-21T09:23:17.000Z')

/** A session that stays in one state. */
export function standingHandle({ view, leftMs = 1_122_900, ...state }: GalleryState): SessionState & PaywindowActions {
  return {
    view,
    pending: null,
    actionError: null,
    trouble: null,
    canGoBack: false,
    ...state,
    choose: nothing,
    renew: nothing,
    change: nothing,
    back: nothing,
    retry: nothing,
    handOver: async () => ({ id: 'a1', token: 'look-only', untilMs: checkedAtMs + 1_200_000 }),
    timeLeftMs: () => leftMs,
    endsAtMs: () => checkedAtMs + leftMs,
    checkedAtMs: () => Date.now() - 3_000,
    onTick: (callback) => {
      callback(leftMs)
      return nothing
    },
  }
}
