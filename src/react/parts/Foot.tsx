/**
 * What is really happening now, and where to find help.
 */
import { Ago, CopyDetails } from '#later'
import type { View } from '../../checkout/view.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PanelTexts } from '../../locales/en.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { useSetting } from '../setting.ts'
import { useDrawn } from '../use-drawn.ts'
import type { Order } from './Head.tsx'
import { HelpLink } from './HelpLink.tsx'
import { Text } from './Text.tsx'
import { useWaitingWord } from './use-waiting-word.ts'

type FootProps = Pick<SessionState, 'view' | 'pending' | 'trouble'> &
  Pick<PaywindowActions, 'checkedAtMs'> & { order: Order | null }

/** The state of the connection, and the links. */
export function Foot({ view, pending, trouble, checkedAtMs, order }: FootProps) {
  const { texts, announce } = useSetting()
  const supportUrl = order?.merchant.supportUrl
  const word = useWaitingWord(pending, texts.preparing)
  const [now, tone] = stateNow(view, trouble, word, texts)
  const isTold = trouble || (word && view.kind === 'preparing')
  // As the screen's own announcement, which comes after it.
  useDrawn(() => {
    if (!isTold) return
    announce(now)
    // A screen reader can still find the announcement later, so it must not outlast the trouble.
    return () => announce('')
  }, [isTold, now, announce])
  if (!now && !supportUrl && !('checkout' in view)) return null
  return (
    <footer className="pw-foot" part="foot">
      <span className="pw-now" data-tone={tone}>
        <span>
          <Text>{now}</Text>
          {tone && 'checkout' in view ? (
            <>
              {now ? <span> · </span> : null}
              <Ago checkedAtMs={checkedAtMs} />
            </>
          ) : null}
        </span>
      </span>
      <span className="pw-links">
        {'checkout' in view ? (
          <CopyDetails checkout={view.checkout} shownAs={view.kind} checkedAtMs={checkedAtMs} />
        ) : null}
        <HelpLink href={supportUrl} text={texts.help} />
      </span>
    </footer>
  )
}

/** Whether something else arrived than was asked for. */
function differs({ arrival }: Checkout): boolean {
  return arrival !== undefined && arrival.kind !== 'exact'
}

/** What is happening, and how it is marked. */
function stateNow(
  view: View,
  trouble: FootProps['trouble'],
  word: string,
  texts: PanelTexts,
): readonly [text: string, tone?: 'live' | 'warn'] {
  if (trouble) return [trouble === 'lost' ? texts.footLost : texts.footFailing, 'warn']
  switch (view.kind) {
    case 'preparing':
      return [word || texts.preparing, 'live']
    case 'waiting':
      return [texts.footWaiting, 'live']
    case 'seen':
      return [differs(view.checkout) ? '' : texts.footSeen, 'live']
    case 'expired':
      return [texts.footWatching, 'warn']
    case 'unreachable':
      return [texts.footRetrying, 'warn']
    case 'settledElsewhere':
      return view.cart === 'seen' ? [differs(view.checkout) ? '' : texts.footSeen, 'live'] : ['']
    default:
      return ['']
  }
}
