/**
 * Replaces src/react/Later.tsx in the script, which loads a part of itself from a file beside it, after the first request. Nothing
 * that a payment needs is in that file: while it is missing, a few words name the screens that are in it.
 */

import type { ViewKind } from '../checkout/view.ts'
import type { CartState } from '../contract/checkout.ts'
import type { PanelTexts } from '../locales/en.ts'
import { Differences, useLater } from '../react/Later.tsx'
import type { HintsProps } from '../react/parts/Hints.tsx'
import { emptyLine, useIdle } from '../react/parts/use-idle.ts'
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
  if (useIdle() && later) return <later.Hints {...props} />
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

function AfterPanel({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  const { texts } = useSetting()
  const later = useLater()
  if (later) return <later.LaterScreen handle={handle} />
  return (
    <div className="pw-result">
      <h2 className="pw-title" part="title" tabIndex={-1}>
        {texts[words[view.kind === 'settledElsewhere' ? view.cart : view.kind] ?? 'footSeen']}
      </h2>
      {later === null ? (
        <button type="button" className="pw-button" part="button" onClick={() => location.reload()}>
          {texts.retry}
        </button>
      ) : null}
    </div>
  )
}

const words: { readonly [Kind in ViewKind | CartState]?: keyof PanelTexts } = {
  paid: 'stepPaid',
  ended: 'endedTitle',
  refused: 'refusedTitle',
}
