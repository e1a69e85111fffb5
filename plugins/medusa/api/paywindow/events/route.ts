/**
 * Takes the events of the payment server. Medusa's own route of webhooks answers before anything is
 * saved; this one answers 2xx afterwards, and otherwise the event comes again.
 */
import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import type { MedusaContainer, PaymentActions } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, MedusaError, Modules } from '@medusajs/framework/utils'
import { cancelOrderWorkflow, capturePaymentWorkflow, completeCartWorkflow } from '@medusajs/medusa/core-flows'
import { bringsMoney, cancelledBefore, type PaymentEvent, wordsOf } from '../../../modules/paywindow/payment-server'
import { type PaidContext, textOf } from '../../../modules/paywindow/provider'

const provider = 'pp_paywindow_paywindow'

/**
 * What a payment remembers, in the metadata of its collection. Customers can write those of an
 * order, by their cart.
 */
interface Memory {
  readonly events: readonly string[]
  /** When each checkout was last heard of. */
  readonly heard: Readonly<Record<string, string>>
  /** For people: also in the metadata of the order, which the Admin shows. */
  readonly notes: readonly string[]
}

export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const { scope, rawBody, headers, body } = req
  if (rawBody === undefined) throw new Error('Add the route of events to src/api/middlewares.ts')
  const payload = { rawData: rawBody, headers, data: body as Record<string, unknown> }
  // Throws unless the event is the payment server's: Medusa answers 400.
  const { action } = await scope.resolve(Modules.PAYMENT).getWebhookActionAndData({ provider, payload })
  const event: PaymentEvent = { ...JSON.parse(rawBody.toString()), id: String(headers['webhook-id']) }
  const session = event.data.order
  // One event of a payment at a time. With several processes, Medusa needs a locking provider that
  // they share.
  await scope.resolve(Modules.LOCKING).execute([`paywindow ${session}`], () => record(scope, event, action))
  res.sendStatus(204)
}

/** Does what an event causes, then writes down that it was done. All of it can be done again. */
async function record(scope: MedusaContainer, event: PaymentEvent, action: PaymentActions): Promise<void> {
  const session = await findSession(scope, event.data.order)
  const orderId = session.orderId ?? (bringsMoney(event) ? await placeOrder(scope, session.cartId) : undefined)
  // Nobody has ordered, and nobody has paid.
  if (orderId === undefined) return
  const order = await findOrder(scope, orderId)
  const { events, heard, notes } = session.memory
  if (events.includes(event.id)) return
  const { checkout, at } = event.data
  const isOutdated = at < (heard[checkout] ?? '')
  const outcome = isOutdated
    ? 'This is older than what was told before.'
    : await move(scope, event, action, session, order)
  const note = [wordsOf(event), outcome].filter(Boolean).join(' ')
  // Nobody looks at the notes of a cancelled order.
  if (outcome === cancelledBefore)
    scope.resolve(ContainerRegistrationKeys.LOGGER).error(`Paywindow, order ${orderId}: ${note}`)
  const memory: Memory = {
    events: [...events, event.id],
    // A lapse is told beside the events of its checkout, perhaps by a server whose clock is ahead.
    heard: isOutdated || event.type === 'payment.lapsed' ? heard : { ...heard, [checkout]: at },
    notes: [...notes, note],
  }
  const metadata = { ...order.metadata, paywindow: { notes: memory.notes } }
  await scope.resolve(Modules.ORDER).updateOrders(orderId, { metadata })
  await scope.resolve(Modules.PAYMENT).updatePaymentCollections(session.collectionId, {
    metadata: { ...session.metadata, paywindow: memory },
  })
}

/** Moves payment and order, only ever forwards. Returns what a person should know of it. */
async function move(
  scope: MedusaContainer,
  event: PaymentEvent,
  action: PaymentActions,
  session: Session,
  order: Order,
): Promise<string> {
  const { price, checkout, order: sessionId } = event.data
  if (bringsMoney(event) && order.isCanceled) return cancelledBefore
  if (action === 'canceled') {
    if (session.isCaptured || order.isPaid || order.isCanceled) return ''
    await cancelOrderWorkflow(scope).run({ input: { order_id: order.id } })
    return 'The order is cancelled.'
  }
  if (action !== 'captured' || order.isPaid) return ''
  if (price.amount !== order.total || price.asset !== order.currency)
    return `NOT SETTLED: ${price.amount} ${price.asset} was asked for, and the order is ${order.total} ${order.currency}.`
  const context: PaidContext = { paidCheckout: checkout }
  const payment = await scope.resolve(Modules.PAYMENT).authorizePaymentSession(sessionId, context)
  if (!payment) throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `${sessionId} was not authorised`)
  await capturePaymentWorkflow(scope).run({ input: { payment_id: payment.id } })
  return ''
}

interface Session {
  readonly collectionId: string
  readonly metadata: Record<string, unknown> | null
  readonly memory: Memory
  readonly cartId: string | undefined
  readonly orderId: string | undefined
  readonly isCaptured: boolean
}

/** @throws MedusaError which Medusa answers with 404. */
async function findSession(scope: MedusaContainer, id: string): Promise<Session> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: 'payment_session',
    fields: [
      'provider_id',
      'payment.captured_at',
      'payment_collection.id',
      'payment_collection.metadata',
      'payment_collection.cart.id',
      'payment_collection.cart.order.id',
      'payment_collection.order.id',
    ],
    filters: { id },
  })
  const [found] = data
  if (found?.provider_id !== provider || !found.payment_collection)
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `There is no payment session ${id}`)
  const { payment, payment_collection } = found
  const { metadata, cart, order } = payment_collection
  return {
    collectionId: payment_collection.id,
    metadata,
    memory: (metadata?.paywindow as Memory | undefined) ?? { events: [], heard: {}, notes: [] },
    cartId: cart?.id,
    orderId: order?.id ?? cart?.order?.id,
    isCaptured: Boolean(payment?.captured_at),
  }
}

/** The payer has paid before the storefront has placed the order. */
async function placeOrder(scope: MedusaContainer, id: string | undefined): Promise<string> {
  if (id === undefined) throw new MedusaError(MedusaError.Types.NOT_FOUND, 'The payment session has no cart')
  const { result } = await completeCartWorkflow(scope).run({ input: { id } })
  return result.id
}

interface Order {
  readonly id: string
  readonly isCanceled: boolean
  /** Whether a payment is captured, and booked. */
  readonly isPaid: boolean
  readonly total: string
  readonly currency: string
  readonly metadata: Record<string, unknown> | null
}

async function findOrder(scope: MedusaContainer, id: string): Promise<Order> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ['status', 'total', 'currency_code', 'metadata', 'transactions.id']
  const { data } = await query.graph({ entity: 'order', fields, filters: { id } })
  const [found] = data
  if (!found) throw new MedusaError(MedusaError.Types.NOT_FOUND, `There is no order ${id}`)
  const { status, total, currency_code, metadata, transactions } = found
  const currency = currency_code.toUpperCase()
  return {
    id,
    isCanceled: status === 'canceled',
    isPaid: Boolean(transactions?.length),
    total: textOf(total, currency),
    currency,
    metadata,
  }
}
