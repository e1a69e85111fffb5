/**
 * Replaces src/react/Later.tsx in the script, which loads a part of itself from a file beside it, after the first request. Nothing
 * that a payment needs is in that file: while it is missing, a few words name the screens that are in it.
 */

import type { ViewKind } from '../checkout/view.ts'
import type { CartState } from '../contract/checkout.ts'
import type { PanelTexts } from '../locales/en.ts'
import { Differences, useLater } from '../react/Later.tsx'
import { useSetting } from '../react/setting.ts'
import { unpaidScreen } from '../react/unpaid-screen.tsx'
import type { PaywindowActions, SessionState } from '../session/state.ts'

export { Attention, bringIntoView, CopyDetails, Growth, Hints, loadLater, Withdrawal } from '../react/Later.tsx'
export { Ago } from '../react/parts/Ago.tsx'
export { PressNote } from '../react/parts/PressNote.tsx'
export { Wallets } from '../react/parts/Wallets.tsx'

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
