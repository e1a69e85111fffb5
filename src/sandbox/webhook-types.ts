/** How the webhooks of a sandbox are set up, and what can go wrong with them. */
import type { SandboxOrder } from './order.ts'
import type { WebhookEvent } from './webhook-event.ts'

/**
 * Who gets webhooks. How the service authenticates them is not shown: put the secret into the path of `url`, or give it as `secret`, which is
 * sent as `Authorization: Bearer`.
 *
 * @example
 * ```ts
 * const receiver: WebhookReceiver = { url: 'https://shop.example/hooks/', secret: 'a-secret-of-24-characters' }
 * ```
 */
export interface WebhookReceiver {
  /** An http or https address; a receiver with the same one is replaced. */
  readonly url: string
  readonly secret?: string
}

/**
 * One thing that goes wrong with a webhook. `out-of-order`: it comes after the next one of the same order, and never if there is none.
 * `twice`: with the same id. `forged`: after it comes one that nobody at the service sent, and that says `event` of the same order.
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
 * const faults: WebhookFaultHook = (event) => (event === 'order.confirmed' ? { kind: 'lost' } : undefined)
 * createSandbox({ webhooks: { faults } })
 * ```
 */
export type WebhookFaultHook = (event: WebhookEvent, order: SandboxOrder) => WebhookFault | undefined

/**
 * A webhook that was sent, and how it was answered.
 *
 * @example
 * ```ts
 * const line = ({ event, url, status }: WebhookAttempt) => `${event} to ${url}: ${status ?? 'no answer'}`
 * ```
 */
export interface WebhookAttempt {
  readonly event: WebhookEvent
  readonly orderId: string
  readonly url: string
  /** HTTP status; null if there was no answer within ten seconds. */
  readonly status: number | null
  /** Whether it is sent again. */
  readonly repeats: boolean
}

/**
 * Settings of the webhooks; all have defaults.
 *
 * @example
 * ```ts
 * const webhooks: WebhookOptions = { receivers: [{ url: 'http://localhost:4242/hooks/a-secret-of-24-characters' }] }
 * const sandbox = createSandbox({ webhooks })
 * ```
 */
export interface WebhookOptions {
  /** Who gets them from the start. Default: nobody. */
  readonly receivers?: readonly WebhookReceiver[]
  /** Sends them. Default: the global one. */
  readonly fetch?: typeof fetch
  /**
   * How long to wait before each further try of one that was not answered with 2xx, in milliseconds. Whether and when the service
   * repeats is not shown. Default: 5 seconds, 30 seconds, 2 minutes.
   */
  readonly repeatAfterMs?: readonly number[]
  /** Called for each event, also while nobody gets webhooks. Default: nothing goes wrong. */
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
  /** Sends webhooks there from now on. Throws `invalid_request` if it is no http or https address. */
  register(receiver: WebhookReceiver): void
  /** Sends nothing there any more. Returns whether it was registered. */
  unregister(url: string): boolean
  /** Resolves when nothing is being sent or waits to be sent again. Those that are out of order wait for another event. */
  settled(): Promise<void>
  /** Ends all of it for good: nothing is sent again. */
  stop(): void
}
