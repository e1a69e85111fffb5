/**
 * Below the amount: a payment that may be on its way to an earlier address, and what became of a press.
 */
import { useState } from 'react'
import { asIs } from '#as-is'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Ago } from './Ago.tsx'
import { Alert } from './Alert.tsx'
import { Say } from './Say.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'

/** Props of `PressNote`: what was pressed and what became of it, and the address of an earlier quote. */
export type PressNoteProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'back' | 'checkedAtMs'> & { readonly earlier: string | undefined }

/** Acknowledges a press, and says within two seconds why it is still waiting. */
export function PressNote({ pending, trouble, actionError, earlier, back, checkedAtMs }: PressNoteProps) {
  const { actionFailed } = useTexts()
  return (
    <>
      {earlier ? <Earlier address={earlier} back={back} checkedAtMs={checkedAtMs} /> : null}
      <Alert text={useWaitingWord(pending, '', trouble) || (actionError && actionFailed)} />
    </>
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
    <p className="pw-alert" aria-live="polite">
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
