/**
 * Takes the events of the payment server. Medusa's own route of webhooks answers before anything is
 * saved; this one answers 2xx afterwards, and otherwise the event comes again.
 */
import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import type { MedusaContainer, PaymentActions } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, MedusaError, Modules } from '@medusajs/framework/utils'
import { cancelOrderWorkflow, capturePaymentWorkflow, completeCartWorkflow } from '@medusajs/medusa/core-flows'
import {
  bringsMoney,
  cancelledBefore,
  type Memory,
  type PaymentEvent,
  refusedTest,
  remember,
  whyOutdated,
  wordsOf,
} from '../../../modules/paywindow/payment-server'
import { type PaidContext, textOf } from '../../../modules/paywindow/provider'

const provider = 'pp_paywindow_paywindow'

/**
 * What a payment remembers, in the metadata of its collection. Customers can write those of an
 * order, by their cart.
 */
interface NotedMemory extends Memory {
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
  const cry = (what: string) => scope.resolve(ContainerRegistrationKeys.LOGGER).error(`Paywindow, ${what}`)
  const isRefused = action === 'failed'
  const session = await findSession(scope, event.data.order)
  if (!session) {
    // Medusa deletes the session of a cart that changes. Who has opened its link before can pay.
    if (bringsMoney(event)) cry(`a payment session that is gone: ${wordsOf(event)} Refund what comes.`)
    // The desk of the payment server lists what is not taken.
    if (action === 'captured') throw new MedusaError(MedusaError.Types.NOT_FOUND, 'There is no such payment session')
    return
  }
  const isPlaced = bringsMoney(event) && !isRefused
  const orderId = session.orderId ?? (isPlaced ? await placeOrder(scope, session.cartId) : undefined)
  // Nobody has ordered, and nobody has paid.
  if (orderId === undefined) return isRefused ? cry(`${wordsOf(event)} ${refusedTest}`) : undefined
  const order = await findOrder(scope, orderId)
  if (session.memory.events.includes(event.id)) return
  const ignored = isRefused ? refusedTest : whyOutdated(event, session.memory)
  const outcome = ignored ?? (await move(scope, event, action, session, order))
  const note = [wordsOf(event), outcome].filter(Boolean).join(' ')
  // Nobody looks at the notes of a cancelled order, or of one that waits.
  if ([cancelledBefore, refusedTest].includes(outcome)) cry(`order ${orderId}: ${note}`)
  const memory: NotedMemory = {
    ...remember(event, session.memory, ignored !== undefined),
    notes: [...session.memory.notes, note],
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
    if (order.isUnderWay) return 'NOT CANCELLED: its goods are packed or sent, and nobody has paid. Decide.'
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
  readonly memory: NotedMemory
  readonly cartId: string | undefined
  readonly orderId: string | undefined
  readonly isCaptured: boolean
}

async function findSession(scope: MedusaContainer, id: string): Promise<Session | undefined> {
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
  if (found?.provider_id !== provider || !found.payment_collection) return undefined
  const { payment, payment_collection } = found
  const { metadata, cart, order } = payment_collection
  return {
    collectionId: payment_collection.id,
    metadata,
    memory: (metadata?.paywindow as NotedMemory | undefined) ?? { events: [], heard: {}, live: [], notes: [] },
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
  /** Whether Medusa refuses to cancel it. */
  readonly isUnderWay: boolean
  /** Whether a payment is captured, and booked. */
  readonly isPaid: boolean
  readonly total: string
  readonly currency: string
  readonly metadata: Record<string, unknown> | null
}

async function findOrder(scope: MedusaContainer, id: string): Promise<Order> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ['status', 'total', 'currency_code', 'metadata', 'transactions.id', 'fulfillments.canceled_at']
  const { data } = await query.graph({ entity: 'order', fields, filters: { id } })
  const [found] = data
  if (!found) throw new MedusaError(MedusaError.Types.NOT_FOUND, `There is no order ${id}`)
  const { status, total, currency_code, metadata, transactions, fulfillments } = found
  const currency = currency_code.toUpperCase()
  return {
    id,
    isCanceled: status === 'canceled',
    isUnderWay:
      status === 'completed' ||
      Boolean(fulfillments?.some((each: { readonly canceled_at: Date | null }) => !each.canceled_at)),
    isPaid: Boolean(transactions?.length),
    total: textOf(total, currency),
    currency,
    metadata,
  }
}
