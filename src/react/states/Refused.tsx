/**
 * No checkout, for a reason that automatic retries cannot fix. Says who can do something about it.
 */
import type { PaywindowError, PaywindowErrorCode } from '../../contract/errors.ts'
import type { WidgetTexts } from '../../locales/en.ts'
import { fill } from '../../locales/format.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { act } from '../parts/act.ts'
import { IfSent } from '../parts/IfSent.tsx'
import { Result } from '../parts/Result.tsx'
import { Say } from '../parts/Say.tsx'
import { Seal } from '../parts/Seal.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

interface RefusedProps extends Pick<PaywindowActions, 'retry'> {
  readonly error: PaywindowError
  /**
   * The server does not know the checkout that was shown, which was not handed over from another
   * device.
   */
  readonly isForgotten: boolean
}

/** The payment cannot start, or cannot go on. */
export function Refused({ error, isForgotten, retry }: RefusedProps) {
  const texts = useTexts()
  const code = isForgotten ? 'not_offered' : error.code
  const text = fill(texts[reasons[code] ?? 'refusedSetup'], { code: error.incident ?? '' })
  return (
    <Result
      mark={<Seal sign="cross" tone="warn" />}
      title={code === 'not_found' ? texts.viewEndedTitle : texts.refusedTitle}
      // Whoever has sent is not told to begin again.
      text={isForgotten ? <Say text="{strong}" values={{ strong: <b>{texts.ifSent}</b> }} /> : text}
    >
      {isForgotten ? (
        <>
          <p>{texts.expiredStrong}</p>
          <p>{text}</p>
        </>
      ) : code === 'not_found' ? null : (
        <IfSent />
      )}
      <button {...act('look')} className="pw-button" part="button" data-look="quiet" onClick={retry}>
        {texts.retry}
      </button>
      <SupportLink />
    </Result>
  )
}

/** Errors that only the shop can fix, and those that end on no screen or on another one. */
type ForTheShop =
  | 'invalid_request'
  | 'forbidden_origin'
  | 'method_not_allowed'
  | 'already_seen'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'asset_not_crypto'
  | 'rate_limited'
  | 'internal'
  | 'unreachable'
  | 'invalid_options'
  | 'offer_invalid'
  | 'deposit_false'
  | 'binding_contradicted'
  | 'order_unresolved'
  | 'paid_twice'
  | 'paid_less'
  | 'paid_more'
  | 'account_changed'
  | 'order_without_checkout'
  | 'paid_without_checkout'
  | 'callback_failed'
  | 'events_waiting'
  | 'record_unreadable'
  | 'service_held_off'
  | 'clients_look_alike'
  | 'nobody_watches'
  | 'token_unencrypted'
  | 'clock_differs'
  | 'service_unavailable'
  | 'status_unknown'

type Reasons = Record<Exclude<PaywindowErrorCode, ForTheShop>, keyof WidgetTexts> &
  Partial<Record<ForTheShop, undefined>>

const reasons: Readonly<Reasons> = {
  not_found: 'viewEnded',
  not_offered: 'refusedUnknown',
  method_not_offered: 'refusedMethod',
  service_refused: 'refusedService',
  service_invalid: 'refusedService',
  invalid_answer: 'refusedAnswer',
  invalid_amount: 'refusedAnswer',
}
