/** Sends webhooks to receivers when orders change, with the faults that a test asks for. */
import type { OrderStatus } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Clock } from '../service/clock.ts'
import { timestamp } from './clock.ts'
import { exactNumber, writeJson } from './json.ts'
import type { SandboxSettings } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { randomUuid } from './random.ts'
import type { SandboxWebhooks, WebhookEvent, WebhookFault, WebhookOptions, WebhookReceiver } from './webhook-types.ts'
import { accountId } from './writing.ts'

/** Waits before each further try, in milliseconds. How long the service waits is not documented. */
export const defaultRepeatAfterMs = [5_000, 30_000, 120_000]

/** A try without an answer within this time has failed. */
const timeoutMs = 10_000

/** All events, with the status that an order has after each. */
export const statusOfEvent: Readonly<Record<WebhookEvent, OrderStatus>> = {
  'order.created': 'open',
  'order.confirmed': 'confirmed',
  'order.cancelled': 'canceled',
}

/** The webhooks, with functions for the rest of the sandbox. */
export interface Webhooks extends SandboxWebhooks {
  /** Sends the event of a change, if it has one. `before` is undefined for a new order. */
  notify(order: SandboxOrder, before: SandboxOrder | undefined): void
  /** Uses this fault for the next event, whatever `faults` says. */
  failNext(fault: WebhookFault): void
  /** Aborts when `stop` is called. */
  readonly stopped: AbortSignal
}

/** A webhook with its text: every receiver and every try gets the same. */
interface WrittenWebhook {
  readonly event: WebhookEvent
  readonly orderId: string
  readonly body: string
}

/** Sends a webhook to all receivers. Resolves when each has accepted it or has no try left. */
type Send = (written: WrittenWebhook) => Promise<void>

/** The means to reach a receiver. */
interface Connection {
  readonly fetch: typeof fetch
  readonly sleep: Clock['sleep']
  readonly repeatAfterMs: readonly number[]
  /** Aborts when the webhooks are stopped. */
  readonly stop: AbortSignal
  /** Whether a receiver is registered at this address. */
  readonly isRegistered: (url: string) => boolean
}

/** @param onRegister - Called when a receiver is registered after the start. */
export function createWebhooks(
  options: WebhookOptions,
  settings: SandboxSettings,
  { sleep }: Pick<Clock, 'sleep'>,
  onRegister: () => void,
): Webhooks {
  const receivers = new Map((options.receivers ?? []).map((receiver) => [receiver.url, checked(receiver)]))
  const stop = new AbortController()
  const background = createBackground(stop.signal)
  const write = (event: WebhookEvent, order: SandboxOrder) => {
    return { event, orderId: order.id, body: writeWebhook(randomUuid(settings.random), event, order, settings) }
  }
  const send = createSend(options, receivers, sleep, stop.signal)
  const sendFaulty = createFaultySend(write, send, (ms) => sleep(ms, stop.signal))
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
    settled: background.settled,
    stop: () => stop.abort(new Error('The webhooks were stopped')),
    failNext: (fault) => {
      next = fault
    },
    notify: (order, before) => {
      const event = eventOf(order, before)
      if (event === undefined) return
      const fault = next ?? webhooks.faults?.(event, order)
      next = undefined
      if (receivers.size > 0 && !stop.signal.aborted) background.begin(() => sendFaulty(event, order, fault))
    },
  }
  return webhooks
}

function checked(receiver: WebhookReceiver): WebhookReceiver {
  const { protocol } = URL.canParse(receiver.url) ? new URL(receiver.url) : { protocol: '' }
  if (/^https?:$/.test(protocol)) return receiver
  throw new PaywindowError('invalid_request', 'The url of a receiver must be an http or https address')
}

/** The event of a change; undefined where there is none. */
function eventOf(order: SandboxOrder, before: SandboxOrder | undefined): WebhookEvent | undefined {
  if (before === undefined) return 'order.created'
  if (before.status === order.status) return undefined
  switch (order.status) {
    case 'confirmed':
      return 'order.confirmed'
    case 'canceled':
      return 'order.cancelled'
    case 'open':
    case 'pending':
      return undefined
  }
}

/**
 * The JSON text. The type of `target_amount` is not documented: here it is a number, as in the
 * list.
 */
function writeWebhook(id: string, event: WebhookEvent, order: SandboxOrder, settings: SandboxSettings): string {
  return writeJson({
    id,
    event,
    account_id: accountId,
    data: {
      order_id: order.id,
      created_at: order.createdAt,
      updated_at: timestamp(order.changedAtMs, '0'.repeat(settings.finerDigits)),
      description: order.description,
      recipient_email: order.recipientEmail,
      status: order.status === 'canceled' ? settings.canceledSpelling : order.status,
      target_amount: exactNumber(order.targetAmount, settings.targetDecimals),
      target_asset: order.targetAsset,
      valid_until: order.validUntil,
      message: order.message,
    },
  })
}

/** Work in the background. An error after `stop` counts as its end. */
function createBackground(stop: AbortSignal) {
  const running = new Set<Promise<void>>()
  return {
    begin: (work: () => Promise<void>) => {
      // Begins later, because the caller is in the middle of a change.
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

/** Returns a function that sends an event with a fault. */
function createFaultySend(
  write: (event: WebhookEvent, order: SandboxOrder) => WrittenWebhook,
  send: Send,
  sleep: (ms: number) => Promise<void>,
) {
  /** Webhooks that wait for the next event of their order, by the order's id. */
  const held = new Map<string, WrittenWebhook[]>()

  async function sendThenHeld(written: WrittenWebhook): Promise<void> {
    const waited = held.get(written.orderId) ?? []
    held.delete(written.orderId)
    await send(written)
    for (const each of waited) await send(each)
  }

  return async (event: WebhookEvent, order: SandboxOrder, fault: WebhookFault | undefined): Promise<void> => {
    const written = write(event, order)
    switch (fault?.kind) {
      case undefined:
        return sendThenHeld(written)
      case 'late':
        await sleep(fault.byMs)
        return sendThenHeld(written)
      case 'twice':
        await sendThenHeld(written)
        return send(written)
      case 'out-of-order':
        held.set(order.id, [...(held.get(order.id) ?? []), written])
        return
      case 'lost':
        return
      case 'forged':
        await sendThenHeld(written)
        return send(write(fault.event, { ...order, status: statusOfEvent[fault.event], message: '' }))
    }
  }
}

function createSend(
  { fetch: given, repeatAfterMs = defaultRepeatAfterMs, onAttempt }: WebhookOptions,
  receivers: ReadonlyMap<string, WebhookReceiver>,
  sleep: Clock['sleep'],
  stop: AbortSignal,
): Send {
  const connection: Connection = {
    fetch: given ?? ((input, init) => fetch(input, init)),
    sleep,
    repeatAfterMs,
    stop,
    isRegistered: (url) => receivers.has(url),
  }
  return async ({ event, orderId, body }) => {
    const sending = [...receivers.values()].map((receiver) =>
      sendTo(receiver, body, connection, (status, repeats) =>
        onAttempt?.({ event, orderId, url: receiver.url, status, repeats }),
      ),
    )
    await Promise.all(sending)
  }
}

/**
 * Tries until a receiver accepts a webhook, or no try is left. Rejects when `stop` aborts.
 *
 * @param onStatus - Called with the HTTP status of each try, null for no answer, and with whether
 *   another try follows.
 */
async function sendTo(
  { url, secret }: WebhookReceiver,
  body: string,
  connection: Connection,
  onStatus: (status: number | null, repeats: boolean) => void,
): Promise<void> {
  const { sleep, repeatAfterMs, stop, isRegistered } = connection
  const headers = {
    'content-type': 'application/json',
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  }
  for (const [at, waitMs] of [0, ...repeatAfterMs].entries()) {
    if (waitMs > 0) await sleep(waitMs, stop)
    if (!isRegistered(url)) return
    const status = await post(url, { method: 'POST', headers, body, redirect: 'manual' }, connection)
    stop.throwIfAborted()
    const isAccepted = status !== null && status >= 200 && status < 300
    onStatus(status, !isAccepted && at < repeatAfterMs.length)
    if (isAccepted) return
  }
}

/** Resolves with the HTTP status; null for no answer, whatever the reason. */
async function post(url: string, init: RequestInit, { fetch, sleep, stop }: Connection): Promise<number | null> {
  const waiting = new AbortController()
  const sending = new AbortController()
  const end = () => sending.abort(stop.reason)
  stop.addEventListener('abort', end, { once: true })
  sleep(timeoutMs, waiting.signal).then(
    () => sending.abort(),
    // The answer came first.
    () => undefined,
  )
  try {
    const response = await fetch(url, { ...init, signal: sending.signal })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  } finally {
    waiting.abort()
    stop.removeEventListener('abort', end)
  }
}
