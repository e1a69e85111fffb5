/** Occurrences in flat fields, for the merchant's log and metrics. */
import type { OrderStatus, Phase } from '../../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'
import type { RequestReport } from '../../service/types.ts'
import type { Evidence } from '../core/types.ts'

/**
 * Where an error came from, as far as that is known.
 *
 * @example
 * ```ts
 * const place = ({ checkoutId, reference }: ErrorContext) =>
 *   checkoutId ?? reference ?? 'no checkout'
 * place({ reference: 'cart-42' }) // => 'cart-42'
 * ```
 */
export interface ErrorContext {
  readonly checkoutId?: string
  readonly reference?: string
  /** The six letters and digits that the payer saw, to give them to the shop. */
  readonly incident?: string
}

/** Tells the merchant of an error that a person may want to look at. */
export type Report = (error: PaywindowError, context: ErrorContext) => void

/**
 * The difference between a written record and the one before. `afterMs` counts from the request of
 * the order; for a delivery, from when Paywindow learnt of the change. No cart is named, because a
 * signed reference opens it.
 */
export type Change = { readonly checkoutId: string } & (
  | { readonly kind: 'checkout_created'; readonly asset: string; readonly network: string }
  | { readonly kind: 'instructions_received' }
  | {
      readonly kind: 'order_bound'
      readonly orderId: string
      readonly evidence: Evidence
      readonly isProvisional: boolean
      readonly afterMs: number
    }
  | { readonly kind: 'order_released'; readonly orderId: string }
  | {
      readonly kind: 'status_changed'
      readonly orderId: string | null
      readonly status: OrderStatus
      readonly previousStatus: OrderStatus
      readonly phase: Phase
      readonly previousPhase: Phase
      readonly afterMs: number
    }
  /** `onStatusChange` has accepted it. */
  | {
      readonly kind: 'change_delivered'
      readonly eventId: string
      readonly status: OrderStatus
      readonly afterMs: number
    }
)

/** Has only the name and code of the cause: its words are others', and may hold secrets. */
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
 * Something that has happened; `kind` says what. Holds no secrets and nothing of a payer, such as
 * addresses. The logger gets names and ids escaped, which others may have chosen. More kinds may
 * come.
 *
 * @example
 * ```ts
 * const isPaid = (occurrence: Occurrence) =>
 *   occurrence.kind === 'status_changed' && occurrence.phase === 'paid'
 * isPaid({ kind: 'instructions_received', checkoutId: 'c-1' }) // => false
 * ```
 */
export type Occurrence = Change | ErrorReported | ({ readonly kind: 'service_request' } & RequestReport)

/** The causes that are followed: `fetch failed` is caused by `ECONNREFUSED`. */
const deepest = 5

/** The name of the cause, `TypeError`, and the code of the deepest one that has a code. */
export function causeOf({ cause }: Error): { readonly causeName?: string; readonly causeCode?: string } {
  if (!(cause instanceof Error)) return {}
  const causeCode = codesIn(cause, deepest).at(-1)
  return { causeName: String(cause.name), ...(causeCode !== undefined && { causeCode }) }
}

/** Where the merchant's own code threw, without its words: `readCart (/shop/carts.js:12:9)`. */
export function causeAt({ code, cause }: PaywindowError): { readonly causeAt?: string } {
  if (code !== 'callback_failed' || !(cause instanceof Error)) return {}
  const [stack, message] = [String(cause.stack), String(cause.message)]
  // The engine's lines come after the message, whose lines may look like places.
  const [, place] = /\n\s+at (.{1,500})/.exec(stack.slice(stack.indexOf(message) + message.length)) ?? []
  return place === undefined ? {} : { causeAt: place }
}

function codesIn(error: Error, left: number): readonly string[] {
  // The code of a DOMException is a number of an old list: 23 is a TimeoutError.
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
