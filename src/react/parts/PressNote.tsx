/**
 * Above the panel, what a payer has to know before sending: a payment that may be on its way to an
 * earlier address, little time, and what became of a press.
 */
import { useState } from 'react'
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Ago } from './Ago.tsx'
import { Alert } from './Alert.tsx'
import { act } from './act.ts'
import { Say } from './Say.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'

/** Props of `PressNote`: the checkout, what was pressed, and what became of it. */
export type PressNoteProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew' | 'back' | 'checkedAtMs'> & { readonly checkout: Checkout }

/** Warns, acknowledges a press, and says within two seconds why it is still waiting. */
export function PressNote({ checkout, pending, trouble, actionError, renew, back, checkedAtMs }: PressNoteProps) {
  const texts = useTexts()
  const { earlier, viewOnly } = checkout
  return (
    <>
      {earlier ? <Earlier address={earlier} back={back} checkedAtMs={checkedAtMs} /> : null}
      {viewOnly ? null : <Late pending={pending} renew={renew} />}
      <Alert text={useWaitingWord(pending, '', trouble) || (actionError && texts.actionFailed)} />
    </>
  )
}

/** Shown by the style sheet when little time is left. */
function Late({ pending, renew }: Pick<PressNoteProps, 'pending' | 'renew'>) {
  const texts = useTexts()
  const renewal = (
    <button
      {...act('renew')}
      className="pw-link"
      part="link"
      aria-disabled={pending !== null}
      aria-busy={pending?.kind === 'renew'}
      onClick={renew}
    >
      {texts.lateHintStrong}
    </button>
  )
  return (
    <p className="pw-alert pw-late">
      <Say text={texts.lateHint} values={{ strong: renewal }} />
    </p>
  )
}

/** For payers who have sent to the address of an earlier quote: nothing is to be sent again. */
function Earlier({ address, back, checkedAtMs }: Pick<PressNoteProps, 'back' | 'checkedAtMs'> & { address: string }) {
  const texts = useTexts()
  const [isAsked, setAsked] = useState(false)
  const look = () => {
    setAsked(true)
    back()
  }
  const end = (
    <b dir="ltr" {...asIs}>
      {`…${address.slice(-6)}`}
    </b>
  )
  return (
    <p className="pw-alert">
      <Say text={texts.sentEarlier} values={{ address: end }} />{' '}
      {isAsked ? (
        <Ago checkedAtMs={checkedAtMs} />
      ) : (
        <button type="button" className="pw-link" part="link" onClick={look}>
          {texts.lookNow}
        </button>
      )}
    </p>
  )
}
