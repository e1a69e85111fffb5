/** Tells receivers of changes of orders, as the service's webhook does, and as badly as a test wants it to. */
import { PaywindowError } from '../contract/errors.ts'
import type { Clock } from '../service/clock.ts'
import type { SandboxSettings } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { randomUuid } from './random.ts'
import { eventOf, writeWebhook } from './webhook-event.ts'
import { createFaultySending, type WrittenWebhook } from './webhook-faults.ts'
import { sendWebhook } from './webhook-sending.ts'
import type { SandboxWebhooks, WebhookFault, WebhookOptions, WebhookReceiver } from './webhook-types.ts'

/** How long the service is taken to wait before each further try. */
export const defaultRepeatAfterMs = [5_000, 30_000, 120_000]

/** The webhooks, and what the rest of the sandbox does with them. */
export interface Webhooks extends SandboxWebhooks {
  /** Sends the event of a change, if it has one. `before` is undefined for a new order. */
  note(order: SandboxOrder, before: SandboxOrder | undefined): void
  /** Lets this go wrong with the next event, whatever `faults` says. */
  failNext(fault: WebhookFault): void
  /** Aborts when everything ends. */
  readonly stopped: AbortSignal
}

/** @param onRegister - Called when somebody is to get webhooks who was not there from the start. */
export function createWebhooks(
  options: WebhookOptions,
  settings: SandboxSettings,
  { sleep }: Pick<Clock, 'sleep'>,
  onRegister: () => void,
): Webhooks {
  const receivers = new Map((options.receivers ?? []).map((receiver) => [receiver.url, checked(receiver)]))
  const stop = new AbortController()
  const running = createRunning(stop.signal)
  const sendFaulty = createFaultySending({
    write: (event, order) => {
      return { event, orderId: order.id, body: writeWebhook(randomUuid(settings.random), event, order, settings) }
    },
    send: createSend(options, receivers, sleep, stop.signal),
    sleep: (ms) => sleep(ms, stop.signal),
  })
  let next: WebhookFault | undefined

  const webhooks: Webhooks = {
    faults: options.faults,
    stopped: stop.signal,
    receivers: () => [...receivers.values()],
    register: (receiver) => {
      receivers.set(receiver.url, checked(receiver))
      onRegister()
    },
    unregister: (url) => receivers.delete(url),
    settled: running.settled,
    stop: () => stop.abort(new Error('The webhooks were stopped')),
    failNext: (fault) => {
      next = fault
    },
    note: (order, before) => {
      const event = eventOf(order, before)
      if (event === undefined) return
      const fault = next ?? webhooks.faults?.(event, order)
      next = undefined
      if (receivers.size > 0 && !stop.signal.aborted) running.begin(() => sendFaulty(event, order, fault))
    },
  }
  return webhooks
}

function checked(receiver: WebhookReceiver): WebhookReceiver {
  const { protocol } = URL.canParse(receiver.url) ? new URL(receiver.url) : { protocol: '' }
  if (/^https?:$/.test(protocol)) return receiver
  throw new PaywindowError('invalid_request', 'The url of a receiver must be an http or https address')
}

/** Sends one event to all who are registered when it is sent. */
function createSend(
  { fetch: given, repeatAfterMs = defaultRepeatAfterMs, onAttempt }: WebhookOptions,
  receivers: ReadonlyMap<string, WebhookReceiver>,
  sleep: Clock['sleep'],
  stop: AbortSignal,
): (written: WrittenWebhook) => Promise<void> {
  const way = {
    fetch: given ?? ((input, init) => fetch(input, init)),
    sleep,
    repeatAfterMs,
    stop,
    isWanted: (url: string) => receivers.has(url),
  }
  return async ({ event, orderId, body }) => {
    const sending = [...receivers.values()].map((receiver) =>
      sendWebhook(receiver, body, way, (status, repeats) =>
        onAttempt?.({ event, orderId, url: receiver.url, status, repeats }),
      ),
    )
    await Promise.all(sending)
  }
}

/** Work that goes on by itself. What fails because of `stop` has ended. */
function createRunning(stop: AbortSignal) {
  const running = new Set<Promise<void>>()
  return {
    begin: (work: () => Promise<void>) => {
      // Later, because the caller is in the middle of a change.
      const ended: Promise<void> = Promise.resolve()
        .then(work)
        .catch((error: unknown) => {
          if (!stop.aborted) throw error
        })
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
