/** What a shop on Node needs of `paywindow serve`: links, verified events, and words for people. */
import { randomUUID } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** Where the payment server is, and its secrets for this shop. */
export interface PaymentServerOptions {
  /** The address of the shop at the payment server, such as `https://pay.shop.example/books`. */
  readonly serverUrl: string
  /** `PAYWINDOW_…_API_SECRET` of the server. */
  readonly apiSecret: string
  /** `PAYWINDOW_…_EVENTS_SECRET` of the server. While it changes: both, with a comma. */
  readonly eventsSecret: string
  /**
   * Whether this is a test shop: test payments, which move no money, settle its orders. Default
   * false.
   */
  readonly test?: boolean
}

/** What is to be paid. */
export interface Payment {
  /** The id under which events tell of it. */
  readonly order: string
  /** What payers read. */
  readonly number?: string
  /** The price as text, such as `'49.9'`, and its currency. */
  readonly amount: string
  readonly asset: string
  readonly returnUrl?: string
}

interface Amount {
  readonly asset: string
  readonly amount: string
}

/**
 * An event whose signature and time are right. Unknown types come, too: a later server may have
 * more.
 */
export interface PaymentEvent {
  /** The same each time the event comes. */
  readonly id: string
  readonly type: string
  readonly data: {
    readonly order: string
    readonly price: Amount
    readonly received: { readonly deposit: Amount | null } | null
    /** `seen`: a deposit is on its way. */
    readonly phase: string
    readonly checkout: string
    /** When it happened, ISO 8601. */
    readonly at: string
    readonly also_paid: readonly string[]
    /** Whether no money has moved. */
    readonly test: boolean
  }
}

/** Longer than a server takes that is well. */
const timeoutMs = 10_000

/** The payment server of one shop. */
export function createPaymentServer({ serverUrl, apiSecret, eventsSecret, test = false }: PaymentServerOptions) {
  const payments = `${serverUrl.replace(/\/$/, '')}/v1/payments`
  const verifiers = eventsSecret.split(',').map((secret) => new Webhook(secret.trim()))

  async function ask(url: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${apiSecret}`, ...init.headers }
    const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) })
    if (!answer.ok) throw new Error(`The payment server answered ${answer.status}: ${await answer.text()}`)
    return answer
  }

  return {
    /** The address of the page where it is paid. */
    async makeLink(payment: Payment): Promise<string> {
      // A new key each time: a link of a payment that was called off has ended.
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const answer = await ask(payments, { method: 'POST', headers, body: JSON.stringify(payment) })
      return ((await answer.json()) as { readonly url: string }).url
    },

    /** Ends all links of a payment. Who has opened one before can still pay. */
    async endLinks(order: string): Promise<void> {
      await ask(`${payments}?order=${encodeURIComponent(order)}`, { method: 'DELETE' })
    },

    /** Undefined for an event that is not the server's, or older than five minutes. */
    verify(body: Buffer, headers: Readonly<Record<string, unknown>>): PaymentEvent | undefined {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      const signed = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]))
      for (const verifier of verifiers)
        try {
          const event = verifier.verify(body, signed) as Omit<PaymentEvent, 'id'>
          return { ...event, id: signed['webhook-id'] ?? '' }
        } catch (error) {
          if (!(error instanceof WebhookVerificationError)) throw error
        }
      return undefined
    },

    /** False for a test payment of a live shop. */
    takes({ data }: PaymentEvent): boolean {
      return test || !data.test
    },
  }
}

/** What a payment remembers of its events. */
export interface Memory {
  readonly events: readonly string[]
  /** When each checkout was last heard of. */
  readonly heard: Readonly<Record<string, string>>
  /** The checkouts whose deposit was on its way then. */
  readonly live: readonly string[]
}

/** Why an event changes nothing after what was told before. */
export function whyOutdated(
  { type, data: { checkout, at } }: PaymentEvent,
  { heard, live }: Memory,
): string | undefined {
  const isOlder = (than: string) => at < (heard[than] ?? '')
  if (isOlder(checkout)) return 'This is older than what was told before.'
  return type === 'payment.lapsed' && live.some(isOlder) ? 'A payment of the order goes on.' : undefined
}

/** The memory after an event. */
export function remember({ id, type, data }: PaymentEvent, memory: Memory, isIgnored: boolean): Memory {
  const events = [...memory.events, id]
  // A lapse is told beside the events of its checkout, perhaps by a server whose clock is ahead.
  if (isIgnored || type === 'payment.lapsed') return { ...memory, events }
  const { checkout, at, phase } = data
  const isLive = phase === 'seen' || ['seen', 'short', 'over', 'late'].some((each) => type === `payment.${each}`)
  const others = memory.live.filter((each) => each !== checkout)
  return { events, heard: { ...memory.heard, [checkout]: at }, live: isLive ? [...others, checkout] : others }
}

/** Whether money has come, or is on its way. */
export function bringsMoney({ type }: PaymentEvent): boolean {
  return ['seen', 'paid', 'paid_twice', 'short', 'over', 'late'].some((each) => type === `payment.${each}`)
}

/** A person has to know: the goods may be gone. */
export const cancelledBefore = 'THE ORDER WAS CANCELLED BEFORE: make a new one, or refund what comes.'

/** A person has to know: the payment server of a live shop is a test server. */
export const refusedTest = 'NOTHING IS DONE: this shop is live, and takes no test payments.'

/** What has happened, for the people of the shop. */
export function wordsOf(event: PaymentEvent): string {
  return event.data.test ? `TEST, no money has moved. ${happened(event)}` : happened(event)
}

function happened({ type, data: { received, checkout, also_paid } }: PaymentEvent): string {
  const came = received?.deposit ? ` (${received.deposit.amount} ${received.deposit.asset} came)` : ''
  switch (type) {
    case 'payment.seen':
      return `A deposit was seen${came}, and is not confirmed: keep the order.`
    case 'payment.paid':
      return `Paid${came}, checkout ${checkout}.`
    case 'payment.paid_twice':
      return `PAID TWICE${came}: send once, keep one payment, and refund the others of ${[checkout, ...also_paid].join(', ')}.`
    case 'payment.short':
      return `Too little came${came}: wait for the rest, or decide.`
    case 'payment.over':
      return `Too much came${came}: decide whether to accept it.`
    case 'payment.late':
      return `A deposit came after its price had ended${came}: wait for what follows.`
    case 'payment.ended':
      return 'A payment ended unpaid. The payer can begin another.'
    case 'payment.lapsed':
      return 'Nobody has paid.'
    case 'payment.returned':
      return `The service sends the deposit back${came}.`
    case 'payment.taken_back':
      return `TAKEN BACK: checkout ${checkout} is not paid after all. Send nothing more.`
  }
  return `The payment server says ${type}${came}.`
}
