/**
 * One press to a new quote. Shows that the request is under way, and when it failed.
 */
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Alert } from './Alert.tsx'
import { Text } from './Text.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'
import { whyNot } from './why-not.ts'

type NewQuoteButtonProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew'> & { readonly look?: 'quiet' }

/** The button that asks for a new quote. */
export function NewQuoteButton({ pending, trouble, actionError, renew, look }: NewQuoteButtonProps) {
  const texts = useTexts()
  const word = useWaitingWord(pending, texts.preparing, trouble)
  const isBusy = pending !== null
  return (
    <>
      <Alert text={actionError && whyNot(actionError, texts, 'newQuoteFailed')} />
      <button
        type="button"
        className="pw-button"
        part="button"
        data-look={look}
        aria-disabled={isBusy}
        aria-busy={isBusy}
        onClick={isBusy ? undefined : renew}
      >
        <Text>{(isBusy && word) || texts.newQuote}</Text>
      </button>
    </>
  )
}
