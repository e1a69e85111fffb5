/** Sends events with what goes wrong with them: late, twice, out of order, lost, or with a forged one. */
import type { SandboxOrder } from './order.ts'
import { statusOfEvent, type WebhookEvent } from './webhook-event.ts'
import type { WebhookFault } from './webhook-types.ts'

/** One event, as it is sent: to all receivers, and again with the same text. */
export interface WrittenWebhook {
  readonly event: WebhookEvent
  readonly orderId: string
  readonly body: string
}

/** What sending needs. */
interface Way {
  write(event: WebhookEvent, order: SandboxOrder): WrittenWebhook
  /** Resolves when every receiver has accepted it, or is given up. */
  send(written: WrittenWebhook): Promise<void>
  sleep(ms: number): Promise<void>
}

/** Returns a function that sends an event with a fault. */
export function createFaultySending({ write, send, sleep }: Way) {
  /** By order: what waits for the next event of that order. */
  const held = new Map<string, WrittenWebhook[]>()

  /** Sends an event, and after it those that waited for it. */
  async function sendInTurn(written: WrittenWebhook): Promise<void> {
    const waited = held.get(written.orderId) ?? []
    held.delete(written.orderId)
    await send(written)
    for (const each of waited) await send(each)
  }

  return async (event: WebhookEvent, order: SandboxOrder, fault: WebhookFault | undefined): Promise<void> => {
    const written = write(event, order)
    switch (fault?.kind) {
      case undefined:
        return sendInTurn(written)
      case 'late':
        await sleep(fault.byMs)
        return sendInTurn(written)
      case 'twice':
        await sendInTurn(written)
        return send(written)
      case 'out-of-order':
        held.set(order.id, [...(held.get(order.id) ?? []), written])
        return
      case 'lost':
        return
      case 'forged':
        await sendInTurn(written)
        return send(write(fault.event, { ...order, status: statusOfEvent[fault.event], message: '' }))
    }
  }
}
