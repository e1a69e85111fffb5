/**
 * One press to a new quote. Shows that the request is under way, and when it failed.
 */
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Alert } from './Alert.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'
import { WayButton } from './WayButton.tsx'
import { whyNot } from './why-not.ts'

type NewQuoteButtonProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew'> & {
    /** For whom it is. */
    readonly why: string
  }

/** The button that asks for a new quote. */
export function NewQuoteButton({ pending, trouble, actionError, renew, why }: NewQuoteButtonProps) {
  const texts = useTexts()
  const word = useWaitingWord(pending, texts.preparing, trouble)
  const isBusy = pending !== null
  return (
    <>
      <WayButton
        name={(isBusy && word) || texts.newQuote}
        why={why}
        asks="renew"
        isBusy={isBusy}
        onClick={isBusy ? undefined : renew}
      />
      <Alert text={actionError && whyNot(actionError, texts, 'newQuoteFailed')} />
    </>
  )
}
