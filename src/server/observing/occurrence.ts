/** What has happened, in flat fields, as the merchant's log and metrics learn it. */
import type { OrderStatus, Phase } from '../../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'
import type { RequestReport } from '../../service/types.ts'
import type { Evidence } from '../core/types.ts'

/** Which checkout. Not which cart: whoever knows a signed reference opens it. */
interface About {
  readonly checkoutId: string
}

/** What a written record says that the one before it did not. */
export type Change = About &
  (
    | { readonly kind: 'checkout_created'; readonly asset: string; readonly network: string }
    | { readonly kind: 'instructions_received' }
    /** `afterMs` is since the order was requested. */
    | {
        readonly kind: 'order_bound'
        readonly orderId: string
        readonly evidence: Evidence
        readonly isProvisional: boolean
        readonly afterMs: number
      }
    | { readonly kind: 'order_released'; readonly orderId: string }
    /** `afterMs` is since the order was requested. */
    | {
        readonly kind: 'status_changed'
        readonly orderId: string | null
        readonly status: OrderStatus
        readonly previousStatus: OrderStatus
        readonly phase: Phase
        readonly previousPhase: Phase
        readonly afterMs: number
      }
    /** `onStatusChange` has accepted it; `afterMs` is since Paywindow learnt of the change. */
    | {
        readonly kind: 'change_delivered'
        readonly eventId: string
        readonly status: OrderStatus
        readonly afterMs: number
      }
  )

/** An error that `onError` was called with. Of its cause only the name and code: its words are others', and may hold secrets. */
interface ErrorReported {
  readonly kind: 'error'
  readonly code: PaywindowErrorCode
  /** One printable line. */
  readonly message: string
  readonly checkoutId?: string
  readonly incident?: string
  readonly causeName?: string
  readonly causeCode?: string
  /** Where the merchant's own code threw: `readCart (/shop/carts.js:12:9)`. */
  readonly causeAt?: string
}

/**
 * Something that has happened. Holds no secrets and nothing of a payer: no deposit address, no client's address. `kind` says what; times end
 * in `Ms`. Names and ids may be the texts of others, which the logger gets escaped. More kinds may come.
 *
 * @example
 * ```ts
 * const isPaid = (occurrence: Occurrence) => occurrence.kind === 'status_changed' && occurrence.phase === 'paid'
 * isPaid({ kind: 'instructions_received', checkoutId: 'c-1' }) // => false
 * ```
 */
export type Occurrence = Change | ErrorReported | ({ readonly kind: 'service_request' } & RequestReport)

/** The deepest cause with a code says why: `fetch failed` is caused by `ECONNREFUSED`. */
const deepest = 5

/** What is ours to say of a cause: `TypeError`, `ECONNREFUSED`. Its words are others' and may hold secrets. */
export function causeOf({ cause }: Error): { readonly causeName?: string; readonly causeCode?: string } {
  if (!(cause instanceof Error)) return {}
  const causeCode = codesIn(cause, deepest).at(-1)
  return { causeName: String(cause.name), ...(causeCode !== undefined && { causeCode }) }
}

/** Where the merchant's own code threw, without its words: `readCart (/shop/carts.js:12:9)`. */
export function placeOf({ code, cause }: PaywindowError): { readonly causeAt?: string } {
  if (code !== 'callback_failed' || !(cause instanceof Error)) return {}
  const [stack, message] = [String(cause.stack), String(cause.message)]
  // Lines of the message may look like places: those of the engine follow it.
  const [, causeAt] = /\n\s+at (.{1,500})/.exec(stack.slice(stack.indexOf(message) + message.length)) ?? []
  return causeAt === undefined ? {} : { causeAt }
}

function codesIn(error: Error, left: number): readonly string[] {
  // The number of a DOMException is of an old list that nobody knows by heart: 23 is a TimeoutError.
  const code: unknown = 'code' in error && !(error instanceof DOMException) ? error.code : undefined
  const own = isCode(code) ? [String(code)] : []
  return error.cause instanceof Error && left > 1 ? [...own, ...codesIn(error.cause, left - 1)] : own
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && code.length <= 100)
}

/** The error itself if its message is one printable line, else a copy with such a message. */
export function inOneLine(error: PaywindowError): PaywindowError {
  const message = printable(error.message)
  if (message === error.message) return error
  const { code, cause, retryAfterMs } = error
  return new PaywindowError(code, message, { cause, retryAfterMs })
}
