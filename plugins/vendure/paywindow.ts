/** Paywindow for Vendure: an order is placed with a payment link, and settled by signed events. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  ConfigService,
  type Injector,
  LanguageCode,
  Logger,
  Order,
  OrderService,
  Payment,
  PaymentMethodHandler,
  PluginCommonModule,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  VendurePlugin,
} from '@vendure/core'
import {
  bringsMoney,
  cancelledBefore,
  createPaymentServer,
  type Memory,
  type PaymentEvent,
  type PaymentServerOptions,
  refusedTest,
  remember,
  whyOutdated,
  wordsOf,
} from './payment-server'

/** Options of the plug-in. */
export interface PaywindowOptions extends PaymentServerOptions {
  /** Where payers go back to: an address of the storefront. It proves nothing about the payment. */
  readonly returnUrl?: (order: Order) => string
}

interface OrderMemory extends Memory {
  /** The `order` of its events. */
  readonly reference: string
  /** The code of the channel that it was paid in: others may not have its payment method. */
  readonly channel: string
}

/** Longer than any event. */
const maxBodyBytes = 65_536
const eventsPath = '/paywindow/events'
const newMemory: OrderMemory = { reference: '', channel: '', events: [], heard: {}, live: [] }

@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.0.0',
  configuration: (config) => {
    const { handler, takeEvent } = createHandler(PaywindowPlugin.options)
    config.paymentOptions.paymentMethodHandlers.push(handler)
    // Before Vendure parses bodies: the signature is that of the bytes.
    config.apiOptions.middleware.push({ route: eventsPath, handler: takeEvent, beforeListen: true })
    return config
  },
})
// biome-ignore lint/complexity/noStaticOnlyClass: Vendure takes classes.
export class PaywindowPlugin {
  static options: PaywindowOptions

  static init(options: PaywindowOptions): typeof PaywindowPlugin {
    PaywindowPlugin.options = options
    return PaywindowPlugin
  }
}

function createHandler(options: PaywindowOptions) {
  const server = createPaymentServer(options)
  let connection: TransactionalConnection
  let orderService: OrderService
  let contexts: RequestContextService
  /** Digits after the point in Vendure's whole numbers. */
  let precision = 2

  const handler = new PaymentMethodHandler({
    code: 'paywindow',
    description: [{ languageCode: LanguageCode.en, value: 'Paywindow: crypto' }],
    args: {},

    init(injector: Injector) {
      connection = injector.get(TransactionalConnection)
      orderService = injector.get(OrderService)
      contexts = injector.get(RequestContextService)
      precision = injector.get(ConfigService).entityOptions.moneyStrategy.precision ?? precision
    },

    /** Places the order, which keeps its stock until it is paid or has lapsed. */
    async createPayment(ctx, order, amount) {
      // Nobody can pay nothing.
      if (amount === 0) return { amount, state: 'Settled', metadata: {} }
      const reference = `${order.code}.${randomUUID()}`
      const url = await server.makeLink({
        order: reference,
        number: order.code,
        amount: decimalText(amount, precision),
        asset: order.currencyCode,
        ...(options.returnUrl && { returnUrl: options.returnUrl(order) }),
      })
      const memory: OrderMemory = { ...newMemory, reference, channel: ctx.channel.code }
      return { amount, state: 'Authorized', metadata: { public: { url }, paywindow: memory } }
    },

    /** Also for a person who has decided, such as to accept less. */
    settlePayment: () => ({ success: true }),

    async cancelPayment(_ctx, _order, payment) {
      await server.endLinks(memoryOf(payment).reference)
      return { success: true }
    },
  })

  /** Answers 2xx only once everything is saved. Otherwise the event comes again. */
  async function takeEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, words = '') => response.writeHead(status).end(words)
    try {
      const body = request.method === 'POST' ? await bodyOf(request) : undefined
      const event = body && server.verify(body, request.headers)
      if (!event) return void answer(400, 'This event is not signed with the events secret of this shop, or is old')
      answer((await record(event)) ? 204 : 404)
    } catch (error) {
      Logger.error(`An event was not recorded, and comes again: ${error}`, 'Paywindow')
      answer(500)
    }
  }

  /**
   * Does what an event causes, with the event's id, in one transaction. False if there is no such
   * payment.
   */
  async function record(event: PaymentEvent): Promise<boolean> {
    const { order: reference } = event.data
    const code = reference.slice(0, Math.max(0, reference.lastIndexOf('.')))
    const found = await connection.rawConnection
      .getRepository(Order)
      .findOne({ where: { code }, relations: ['channels', 'payments'] })
    const paid = found?.payments.find((each) => memoryOf(each).reference === reference)
    if (!found || !paid) return false
    const channel = found.channels.find((each) => each.code === memoryOf(paid).channel) ?? found.channels[0]
    const context = await contexts.create({
      apiType: 'admin',
      currencyCode: found.currencyCode,
      ...(channel && { channelOrToken: channel.token }),
    })
    return connection.withTransaction(context, async (ctx) => {
      const orders = connection.getRepository(ctx, Order)
      // Locks the row in every database: events of one order are recorded one after another.
      await orders.update({ id: found.id }, { updatedAt: new Date() })
      const order = await orders.findOneOrFail({ where: { id: found.id }, relations: ['payments'] })
      const payment = order.payments.find((each) => memoryOf(each).reference === reference)
      if (!payment) return false
      if (!memoryOf(payment).events.includes(event.id)) await act(ctx, order, payment, event)
      return true
    })
  }

  async function act(ctx: RequestContext, order: Order, payment: Payment, event: PaymentEvent): Promise<void> {
    const before = memoryOf(payment)
    const ignored = server.takes(event) ? whyOutdated(event, before) : refusedTest
    const outcome = ignored ?? (await move(ctx, order, payment, event))
    const note = [wordsOf(event), outcome].filter(Boolean).join(' ')
    await orderService.addNoteToOrder(ctx, { id: order.id, note, isPublic: false })
    // Nobody looks at the notes of a cancelled order, or of one that waits.
    if ([cancelledBefore, refusedTest].includes(outcome)) Logger.error(`Order ${order.code}: ${note}`, 'Paywindow')
    const memory = { ...before, ...remember(event, before, ignored !== undefined) }
    const payments = connection.getRepository(ctx, Payment)
    await payments.update(payment.id, { metadata: { ...payment.metadata, paywindow: memory } as object })
  }

  /** Moves payment and order, only ever forwards. Returns what a person should know of it. */
  async function move(ctx: RequestContext, order: Order, payment: Payment, event: PaymentEvent): Promise<string> {
    if (bringsMoney(event) && [order.state, payment.state].includes('Cancelled')) return cancelledBefore
    switch (event.type) {
      case 'payment.paid':
      case 'payment.paid_twice':
        return settle(ctx, order, payment, event)
      case 'payment.lapsed':
        return cancel(ctx, order, payment)
    }
    return ''
  }

  async function settle(ctx: RequestContext, order: Order, payment: Payment, { data }: PaymentEvent): Promise<string> {
    const { price, checkout } = data
    if (payment.state !== 'Authorized') return ''
    const owed = decimalText(owedBy(order, payment), precision)
    if (price.amount !== owed || price.asset !== order.currencyCode)
      return `NOT SETTLED: ${price.amount} ${price.asset} was asked for, and the order is ${owed} ${order.currencyCode}.`
    refuse(await orderService.settlePayment(ctx, payment.id))
    await connection.getRepository(ctx, Payment).update(payment.id, { transactionId: checkout })
    return ''
  }

  /** Frees the stock. */
  async function cancel(ctx: RequestContext, order: Order, payment: Payment): Promise<string> {
    if (payment.state !== 'Authorized') return ''
    refuse(await orderService.cancelPayment(ctx, payment.id))
    if (order.state !== 'PaymentAuthorized') return 'The payment is cancelled.'
    if (othersOf(order, payment).length > 0) return 'The payment is cancelled. The order has another: decide.'
    refuse(await orderService.cancelOrder(ctx, { orderId: order.id, reason: 'Not paid', cancelShipping: true }))
    return 'The order is cancelled.'
  }

  return { handler, takeEvent }
}

function memoryOf({ metadata }: Payment): OrderMemory {
  return metadata.paywindow ?? newMemory
}

/**
 * Undefined for more than an event has. A proxy may pass a body on in chunks, without its length.
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += part.length
    // The rest is read, too: otherwise the answer would be lost.
    if (length <= maxBodyBytes) parts.push(part)
  }
  return length > maxBodyBytes ? undefined : Buffer.concat(parts)
}

/** What the order's total leaves for this payment, in the smallest unit. */
function owedBy(order: Order, payment: Payment): number {
  return othersOf(order, payment).reduce((left, { amount }) => left - amount, order.totalWithTax)
}

function othersOf(order: Order, payment: Payment): Payment[] {
  return order.payments.filter(({ id, state }) => id !== payment.id && ['Authorized', 'Settled'].includes(state))
}

/** 4990 with two decimals as `49.90`, and 4900 as `49`. Without floating point. */
function decimalText(amount: number, precision: number): string {
  const digits = BigInt(amount)
    .toString()
    .padStart(precision + 1, '0')
  const fraction = digits.slice(digits.length - precision)
  return digits.slice(0, digits.length - precision) + (/^0*$/.test(fraction) ? '' : `.${fraction}`)
}

/**
 * Vendure returns what it refuses. Thrown, it undoes the transaction, and the event comes again.
 */
function refuse(result: object): void {
  if ('errorCode' in result) throw new Error(JSON.stringify(result))
}
