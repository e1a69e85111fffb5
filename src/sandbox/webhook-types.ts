/** How the webhooks of a sandbox are set up, and what can go wrong with them. */
import type { SandboxOrder } from './order.ts'

/**
 * The events that the service's documentation names. It names none for a deposit that was seen.
 *
 * @example
 * ```ts
 * const final: readonly WebhookEvent[] = ['order.confirmed', 'order.cancelled']
 * ```
 */
export type WebhookEvent = 'order.created' | 'order.confirmed' | 'order.cancelled'

/**
 * Where webhooks are sent. The service's documentation does not say how it authenticates them. Put
 * a secret into the path of `url`, or give it as `secret`, which is sent as `Authorization:
 * Bearer`.
 *
 * @example
 * ```ts
 * const secret = 'a-secret-of-24-characters'
 * const receiver: WebhookReceiver = { url: 'https://shop.example/hooks/', secret }
 * ```
 */
export interface WebhookReceiver {
  /** An http or https address. Registering the same address again replaces the receiver. */
  readonly url: string
  readonly secret?: string
}

/**
 * A fault of one webhook. `twice`: it is sent again with the same id. `out-of-order`: it is sent
 * after the next webhook of its order; never, if none follows. `forged`: after it comes a webhook
 * that the service did not send, with `event` of the same order.
 *
 * @example
 * ```ts
 * const fault: WebhookFault = { kind: 'late', byMs: 60_000 }
 * ```
 */
export type WebhookFault =
  | { readonly kind: 'late'; readonly byMs: number }
  | { readonly kind: 'twice' }
  | { readonly kind: 'out-of-order' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'forged'; readonly event: WebhookEvent }

/**
 * Decides what goes wrong with a webhook; undefined for nothing.
 *
 * @example
 * ```ts
 * const faults: WebhookFaultHook = (event) =>
 *   event === 'order.confirmed' ? { kind: 'lost' } : undefined
 * createSandbox({ webhooks: { faults } })
 * ```
 */
export type WebhookFaultHook = (event: WebhookEvent, order: SandboxOrder) => WebhookFault | undefined

/**
 * One try to send a webhook, and how it was answered.
 *
 * @example
 * ```ts
 * const line = ({ event, url, status }: WebhookAttempt) =>
 *   `${event} to ${url}: ${status ?? 'no answer'}`
 * ```
 */
export interface WebhookAttempt {
  readonly event: WebhookEvent
  readonly orderId: string
  readonly url: string
  /** HTTP status; null if there was no answer within ten seconds. */
  readonly status: number | null
  /** Whether another try follows. */
  readonly repeats: boolean
}

/**
 * Settings of the webhooks; all have defaults.
 *
 * @example
 * ```ts
 * const url = 'http://localhost:4242/hooks/a-secret-of-24-characters'
 * const webhooks: WebhookOptions = { receivers: [{ url }] }
 * const sandbox = createSandbox({ webhooks })
 * ```
 */
export interface WebhookOptions {
  /** Receivers from the start. Default: nobody. */
  readonly receivers?: readonly WebhookReceiver[]
  /** Sends them. Default: the global one. */
  readonly fetch?: typeof fetch
  /**
   * Waits before each further try, in milliseconds. A webhook is tried again if the answer is not
   * 2xx. Whether and when the service tries again is not documented. Default: 5 seconds, 30
   * seconds, 2 minutes.
   */
  readonly repeatAfterMs?: readonly number[]
  /** Called for each event, even without receivers. Default: nothing goes wrong. */
  readonly faults?: WebhookFaultHook
  /** Called after each try. Default: nobody is told. */
  readonly onAttempt?: (attempt: WebhookAttempt) => void
}

/**
 * The webhooks of a running sandbox.
 *
 * @example
 * ```ts
 * const { webhooks }: { webhooks: SandboxWebhooks } = createSandbox()
 * webhooks.register({ url: 'http://localhost:4242/hooks/a-secret-of-24-characters' })
 * webhooks.receivers().length // => 1
 * ```
 */
export interface SandboxWebhooks {
  /** Decides what goes wrong from now on. */
  faults: WebhookFaultHook | undefined
  receivers(): readonly WebhookReceiver[]
  /** Adds a receiver. Throws `invalid_request` if its address is not http or https. */
  register(receiver: WebhookReceiver): void
  /** Removes a receiver. Returns whether it was registered. */
  unregister(url: string): boolean
  /**
   * Resolves when no webhook is being sent or waits for another try. A webhook that is out of order
   * waits for the next event, and does not count.
   */
  settled(): Promise<void>
  /** Stops all webhooks for good. */
  stop(): void
}
