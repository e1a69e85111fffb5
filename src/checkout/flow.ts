/**
 * One payer's way through one cart, as pure steps: what is asked next, and what an answer, a
 * failure or a press makes of it. Every step returns a new flow; what did not change keeps its
 * identity, so that nothing is drawn again.
 */
import type { Checkout, Offer } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Reading } from './deadline.ts'
import { advance, begin, type ShownCheckout, withTime } from './shown-checkout.ts'
import { isShort, isTransient, type Progress, silentFailures } from './view.ts'

/**
 * A way to pay, as the service names it.
 *
 * @example
 * ```ts
 * const choice: MethodChoice = { asset: 'USDC', network: 'base' }
 * ```
 */
export interface MethodChoice {
  readonly asset: string
  readonly network: string
}

/**
 * What is asked next. A new object is a new attempt. `view`: a checkout that another device handed
 * over, to look at only.
 */
export type Task =
  | { readonly kind: 'create'; readonly method: MethodChoice | undefined }
  | { readonly kind: 'view'; readonly id: string }
  | { readonly kind: 'renew' }
  | { readonly kind: 'offer' }
  | { readonly kind: 'poll' }
  | { readonly kind: 'rest' }

/**
 * What the payer asked for and still waits for.
 *
 * @example
 * ```ts
 * const waitsFor = (pending: Pending | null) => (pending?.kind === 'choose' ? pending.asset : pending?.kind)
 * waitsFor({ kind: 'choose', asset: 'BTC', network: 'bitcoin' }) // => 'BTC'
 * waitsFor({ kind: 'renew' }) // => 'renew'
 * ```
 */
export type Pending =
  | ({ readonly kind: 'choose' } & MethodChoice)
  | { readonly kind: 'renew' }
  | { readonly kind: 'change' }
  | { readonly kind: 'retry' }

/**
 * Why the status may be out of date. `lost`: the merchant's server cannot be reached. `failing`: it
 * answers, but not with the status.
 *
 * @example
 * ```ts
 * const words: Record<Trouble, string> = { lost: 'No connection', failing: 'The shop cannot say' }
 * ```
 */
export type Trouble = 'lost' | 'failing'

/**
 * What an answer holds: a checkout to show from now on, the status of the one that is shown, or an
 * offer to choose from.
 */
export type Answer =
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  | { readonly kind: 'status'; readonly checkout: Checkout }
  | { readonly kind: 'offer'; readonly offer: Offer }

/**
 * All that a session knows between two answers. Plain data: each function here takes one and
 * returns the next.
 */
export interface Flow {
  /** What the page asked for at first. */
  readonly first: Task
  readonly task: Task
  readonly progress: Progress
  /** The last checkout that was shown; stays while another method is being chosen. */
  readonly shown: ShownCheckout | undefined
  /** When the checkout came to the screen, by the monotonic clock; 0 before. */
  readonly shownSinceMs: number
  readonly pending: Pending | null
  /** Why what the payer asked for last did not work. */
  readonly actionError: PaywindowError | null
  readonly trouble: Trouble | null
  /** Answers in a row that failed. */
  readonly failures: number
  /** Nothing is asked before this, by the monotonic clock: a server said so. */
  readonly notBeforeMs: number
  /** When the last good answer came; 0 before the first. */
  readonly checkedAt: Reading
}

/**
 * Nothing is asked or shown yet. Reads no clock: a framework may draw this once, long before any
 * payer comes, and keep it for all.
 *
 * @param first - `create` without a method lets the server take the only one, or offer the choice.
 */
export function startFlow(first: Extract<Task, { kind: 'create' | 'view' }>): Flow {
  return {
    first,
    task: first,
    progress: { step: 'asking', failures: 0 },
    shown: undefined,
    shownSinceMs: 0,
    pending: null,
    actionError: null,
    trouble: null,
    failures: 0,
    notBeforeMs: 0,
    checkedAt: { monotonicMs: 0, wallMs: 0 },
  }
}

/** Takes in a good answer. `sentAt` is when its request was sent. */
export function answered(before: Flow, answer: Answer, sentAt: Reading, now: Reading): Flow {
  const flow = { ...before, failures: 0, notBeforeMs: 0, trouble: null, checkedAt: now }
  switch (answer.kind) {
    case 'status': {
      const { shown } = flow
      if (!shown) return flow
      return lostPlace(shown.checkout, answer.checkout)
        ? (unknown(flow, new PaywindowError('not_found', '')) ?? flow)
        : show(flow, advance(shown, answer.checkout, sentAt, now))
    }
    case 'checkout': {
      const { checkout } = answer
      // Asked for once more, the same checkout gets no later deadline.
      const shown =
        flow.shown?.checkout.id === checkout.id
          ? advance(flow.shown, checkout, sentAt, now)
          : begin(checkout, sentAt, now)
      return settle({ ...show(flow, shown), shownSinceMs: now.monotonicMs }, { kind: 'poll' }, null)
    }
    case 'offer':
      // With a deposit on its way there is nothing left to choose; the next poll says what came.
      if (flow.shown && answer.offer.cart !== 'open') return settle(flow, { kind: 'poll' }, null)
      return settle({ ...flow, progress: { step: 'choosing', offer: answer.offer } }, { kind: 'rest' }, null)
  }
}

/**
 * Takes in a failure. A payer who looks at an address keeps it, unless the server does not know the
 * checkout.
 */
export function failed(before: Flow, error: PaywindowError, now: Reading): Flow {
  const failures = before.failures + 1
  const notBeforeMs = now.monotonicMs + (error.retryAfterMs ?? 0)
  const flow = { ...ticked(before, now), failures, notBeforeMs }
  const again = isTransient(error.code)
  if (flow.task.kind === 'poll') return unknown(flow, error) ?? { ...flow, trouble: troubleOf(flow, error) }
  if (flow.progress.step === 'asking') {
    // Whose page asks for a coin that is not offered is told to choose another one.
    const first: Task = error.code === 'method_not_offered' ? { kind: 'create', method: undefined } : flow.first
    const task: Task = again ? { ...first } : { kind: 'rest' }
    return { ...flow, first, task, pending: null, progress: { step: 'asking', failures, error } }
  }
  if (error.code === 'already_seen') return settle({ ...flow, failures: 0 }, { kind: 'poll' }, null)
  const trouble = troubleOf(flow, error)
  // Safe to repeat: the server makes one checkout however often it is asked.
  if (again && failures <= silentFailures && isShort(error)) return { ...flow, trouble, task: { ...flow.task } }
  if (flow.progress.step !== 'choosing') return settle({ ...flow, trouble, failures: 0 }, { kind: 'poll' }, error)
  // Nothing more is tried here by itself.
  return settle({ ...flow, trouble: null, failures: 0 }, { kind: 'rest' }, error)
}

/** The clock went on: a quote whose time has passed is over. */
export function ticked(flow: Flow, now: Reading): Flow {
  return flow.shown && flow.progress.step === 'checkout' ? show(flow, withTime(flow.shown, now)) : flow
}

/**
 * The payer chose a way to pay. A second press while the first is under way changes nothing; the
 * same applies to the next two functions.
 */
export function choose(flow: Flow, { asset, network }: MethodChoice): Flow {
  return flow.pending
    ? flow
    : press(flow, { kind: 'create', method: { asset, network } }, { kind: 'choose', asset, network })
}

/** The payer wants a new quote. */
export function renew(flow: Flow): Flow {
  return flow.pending ? flow : press(flow, { kind: 'renew' }, { kind: 'renew' })
}

/**
 * The payer wants to choose again. The checkout stays payable, and the server keeps watching it.
 */
export function change(flow: Flow): Flow {
  return flow.pending ? flow : press(flow, { kind: 'offer' }, { kind: 'change' })
}

/** The payer returns from choosing to the checkout that was shown before. */
export function back(flow: Flow, now: Reading): Flow {
  if (!flow.shown) return flow
  const shown = withTime(flow.shown, now)
  return press({ ...flow, shown, progress: { step: 'checkout', shown } }, { kind: 'poll' }, null)
}

/** The payer tries a first request again that was refused or not answered. */
export function retry(flow: Flow): Flow {
  if (flow.progress.step !== 'asking') return flow
  const progress: Progress = { step: 'asking', failures: 0 }
  // After a press, the first failure is shown at once.
  return {
    ...press({ ...flow, progress, shown: undefined }, { ...flow.first }, { kind: 'retry' }),
    failures: silentFailures,
  }
}

/** Shows a checkout. */
export function show(flow: Flow, shown: ShownCheckout): Flow {
  const same =
    flow.progress.step === 'checkout' &&
    flow.progress.shown.checkout === shown.checkout &&
    flow.progress.shown.over === shown.over
  return { ...flow, shown, progress: same ? flow.progress : { step: 'checkout', shown } }
}

/**
 * Ends what the payer asked for, with or without success. The pause that its answer named is not
 * one for what is asked next.
 */
function settle(flow: Flow, task: Task, actionError: PaywindowError | null): Flow {
  return { ...flow, task, pending: null, actionError, notBeforeMs: 0 }
}

function press(flow: Flow, task: Task, pending: Pending | null): Flow {
  return { ...flow, task, pending, actionError: null, failures: 0 }
}

/**
 * Whether the store has lost the order of an address that is shown, and got another for the same
 * checkout.
 */
function lostPlace(shown: Checkout, { phase, address, tag }: Checkout): boolean {
  return phase === shown.phase && (address !== shown.address || tag !== shown.tag)
}

/**
 * Nobody would see a payment to the address: it is asked for on, because the server may know it
 * again soon. Undefined where it is known, and for screens that ask for nothing, and say what is
 * known. A view of them that was handed over ends.
 */
function unknown(flow: Flow, error: PaywindowError): Flow | undefined {
  const { failures, shown } = flow
  const lost = error.code === 'not_found' ? shown?.checkout : undefined
  const asksForMoney = lost?.phase === 'waiting' && lost.cart === 'open'
  return asksForMoney || (lost?.viewOnly && failures > silentFailures)
    ? { ...flow, progress: { step: 'asking', failures, error, lost } }
    : undefined
}

/** A single refusal is not shown; a lost connection is. */
function troubleOf({ failures, trouble }: Flow, error: PaywindowError): Trouble | null {
  if (error.code === 'unreachable') return 'lost'
  return failures > silentFailures ? 'failing' : trouble
}
