/**
 * One press to a new quote. Says so while it is asked for, and when it could not be had.
 */

import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Text } from './Text.tsx'
import { useTexts } from './useTexts.ts'

type NewQuoteButtonProps = Pick<SessionState, 'pending' | 'actionError'> & Pick<PaywindowActions, 'renew'>

export function NewQuoteButton({ pending, actionError, renew }: NewQuoteButtonProps) {
  const texts = useTexts()
  const isBusy = pending?.kind === 'renew'
  return (
    <>
      {actionError ? (
        <p className="pw-alert" role="alert">
          {texts.newQuoteFailed}
        </p>
      ) : null}
      <button
        type="button"
        className="pw-button"
        part="button"
        aria-disabled={isBusy}
        aria-busy={isBusy}
        onClick={isBusy ? undefined : renew}
      >
        <Text>{isBusy ? texts.preparing : texts.newQuote}</Text>
      </button>
    </>
  )
}
