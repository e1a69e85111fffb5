/**
 * What a session shows, and what the payer can do with it.
 */
import type { Flow, MethodChoice, Pending, Trouble } from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import { type View, viewOf } from '../checkout/view.ts'
import type { PaywindowError } from '../contract/errors.ts'

/**
 * What is drawn. The same object until something of it changes.
 *
 * @example
 * ```ts
 * const isBusy = ({ view, pending }: SessionState) => view.kind === 'preparing' || pending !== null
 * isBusy({ view: { kind: 'preparing' }, pending: null, actionError: null, trouble: null, canGoBack: false }) // => true
 * ```
 */
export interface SessionState {
  readonly view: View
  readonly pending: Pending | null
  readonly actionError: PaywindowError | null
  readonly trouble: Trouble | null
  /** Whether `choosing` was reached from a checkout that can be gone back to. */
  readonly canGoBack: boolean
}

/**
 * What the payer can do. The functions stay the same between renders.
 *
 * @example
 * ```ts
 * const minutesLeft = ({ timeLeftMs }: Pick<PaywindowActions, 'timeLeftMs'>) => Math.ceil(timeLeftMs() / 60_000)
 * minutesLeft({ timeLeftMs: () => 90_000 }) // => 2
 * ```
 */
export interface PaywindowActions {
  /** Pays with this method. */
  choose(method: MethodChoice): void
  /** Asks for a new quote; the old one stays watched by the server. */
  renew(): void
  /** Goes back to the choice of methods. */
  change(): void
  /** Goes from the choice back to the checkout that was shown before. */
  back(): void
  /** Tries a first request again that was refused or not answered. */
  retry(): void
  /** Makes a link that shows this checkout on another device. Rejects with `PaywindowError`. */
  handOver(): Promise<HandoverLink>
  /**
   * Milliseconds the quote has left, never more than the server said; zero or less when it is over.
   */
  timeLeftMs(): number
  /** When the quote ends, in milliseconds since 1970 by this device's clock. */
  endsAtMs(): number
  /**
   * Calls back whenever the text of a countdown changes, from one timer for the whole session; not
   * in hidden tabs.
   *
   * @returns a function that stops it.
   */
  onTick(callback: (leftMs: number) => void): () => void
  /** When the status was last known, in milliseconds since 1970. */
  checkedAtMs(): number
}

/**
 * A checkout that can be shown elsewhere until a time, in milliseconds since 1970 by this device's
 * clock.
 */
export interface HandoverLink extends HandedOver {
  readonly untilMs: number
}

/** @param view - That of before, where it is still so. */
export function stateOf(flow: Flow, view?: View): SessionState {
  const { progress, pending, actionError, trouble } = flow
  const canGoBack = progress.step === 'choosing' && flow.shown !== undefined
  return { view: view ?? viewOf(progress), pending, actionError, trouble, canGoBack }
}
