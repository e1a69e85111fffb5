/**
 * No checkout yet. The request is repeated automatically, without the payer's help.
 */
import type { PaywindowError } from '../../contract/errors.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { act } from '../parts/act.ts'
import { IfSent } from '../parts/IfSent.tsx'
import { Result } from '../parts/Result.tsx'
import { Seal } from '../parts/Seal.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** The shop does not answer. */
export function Unreachable({ error, retry }: Pick<PaywindowActions, 'retry'> & { readonly error: PaywindowError }) {
  const texts = useTexts()
  const [title, text] =
    error.code === 'rate_limited'
      ? [texts.limitedTitle, texts.limitedText]
      : error.code === 'service_unavailable' || error.code === 'internal'
        ? [texts.busyTitle, texts.busyText]
        : [texts.unreachableTitle, texts.unreachableText]
  return (
    <Result mark={<Seal sign="cloud" tone="warn" />} title={title} text={text}>
      <IfSent />
      {error.code === 'rate_limited' ? null : (
        <button {...act('look')} className="pw-button" part="button" data-look="quiet" onClick={retry}>
          {texts.retry}
        </button>
      )}
      <SupportLink />
    </Result>
  )
}
