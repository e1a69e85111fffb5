/**
 * Replaces src/react/Later.tsx in the script, which loads a part of itself from a file beside it,
 * after the first request. Nothing that a payment needs is in that file: while it is missing, a few
 * words name the screens that are in it.
 */

import { LaterScreen as AfterPanel, Differences, useLater } from '../react/Later.tsx'
import type { HintsProps } from '../react/parts/Hints.tsx'
import { emptyLine } from '../react/parts/use-idle.ts'
import { useSetting } from '../react/setting.ts'
import { unpaidScreen } from '../react/unpaid-screen.tsx'
import type { PaywindowActions, SessionState } from '../session/state.ts'

export { Attention, bringIntoView, CopyDetails, Growth, loadLater, Withdrawal } from '../react/Later.tsx'
export { Ago } from '../react/parts/Ago.tsx'
export { PressNote } from '../react/parts/PressNote.tsx'
export { Wallets } from '../react/parts/Wallets.tsx'

/** Keeps the line of the way to another device, so that the foot below it stays where it is. */
export function Hints(props: HintsProps) {
  const { checkout, place } = props
  const { handoverUrl = checkout.handoverUrl } = useSetting()
  const later = useLater()
  if (later) return <later.Hints {...props} />
  return handoverUrl && place === 'other' && !checkout.viewOnly ? (
    <div className="pw-hints">
      <div className="pw-details" style={{ visibility: 'hidden' }}>
        <summary>{emptyLine}</summary>
      </div>
    </div>
  ) : null
}

/** All screens but the panel. */
export function LaterScreen(props: { handle: SessionState & PaywindowActions }) {
  return unpaidScreen(props.handle, Differences) ?? <AfterPanel {...props} />
}
