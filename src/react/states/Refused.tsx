/**
 * No checkout, for a reason that trying again by itself does not cure. Says who can do something about it.
 */
import type { PaywindowError, PaywindowErrorCode } from '../../contract/errors.ts'
import type { Texts } from '../../locales/en.ts'
import { fill } from '../../locales/format.ts'
import { Result } from '../parts/Result.tsx'
import { useSetting } from '../setting.ts'
import type { PaywindowActions } from '../useSession.ts'

export function Refused({ error, retry }: Pick<PaywindowActions, 'retry'> & { readonly error: PaywindowError }) {
  const { texts } = useSetting()
  const text = fill(reason(error.code, texts), { code: error.code })
  return (
    <Result
      sign="cross"
      tone="warn"
      title={error.code === 'not_found' ? texts.viewEndedTitle : texts.refusedTitle}
      text={text}
    >
      <button type="button" className="pw-button" part="button" data-look="quiet" onClick={retry}>
        {texts.retry}
      </button>
    </Result>
  )
}

function reason(code: PaywindowErrorCode, texts: Texts): string {
  switch (code) {
    case 'not_found':
      return texts.viewEnded
    case 'not_offered':
      return texts.refusedUnknown
    case 'method_not_offered':
      return texts.refusedMethod
    case 'service_refused':
    case 'service_invalid':
    case 'service_unavailable':
      return texts.refusedService
    case 'invalid_answer':
    case 'invalid_amount':
    case 'status_unknown':
      return texts.refusedAnswer
    case 'invalid_request':
    case 'forbidden_origin':
    case 'method_not_allowed':
    case 'already_seen':
    case 'request_too_large':
    case 'unsupported_media_type':
    case 'asset_not_crypto':
    case 'rate_limited':
    case 'internal':
    case 'unreachable':
    case 'invalid_options':
    case 'offer_invalid':
    case 'deposit_false':
    case 'binding_contradicted':
    case 'order_unresolved':
    case 'paid_twice':
    case 'callback_failed':
      return texts.refusedSetup
  }
}
