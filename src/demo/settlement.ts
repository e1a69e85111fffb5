/**
 * What the shop does when Paywindow delivers a change of a checkout's status: by the rules of
 * docs/fulfilment.md, with a log.
 */
import type { StatusEvent } from 'paywindow/server'
import { type Order, type OrderState, type Orders, priceOf } from './orders.ts'

const words: Readonly<Record<OrderState, string>> = {
  open: 'waits for payment',
  seen: 'has a deposit that is being confirmed',
  paid: 'is paid',
  review: 'has a payment that does not match; a person must check it',
}

/**
 * Marks the order and logs that. An event that is delivered twice changes nothing the second time,
 * as is required: the new state of the order follows from the event and its current state, not from
 * how often the event was delivered.
 */
export function settle(orders: Orders, event: StatusEvent, log: (line: string) => void): void {
  const order = orders.byReference(event.reference)
  if (event.reference.startsWith('till-')) {
    log(`${event.reference}: ${event.phase} (${event.price.amount} ${event.price.asset})`)
    return
  }
  if (order === null) {
    log(`${event.reference}: a payment for an order that does not exist; please check it`)
    return
  }
  const state = nextState(order, event)
  if (state !== order.state) orders.setState(order.number, state)
  log(
    `order ${order.number} ${words[state]} (${event.price.amount} ${event.price.asset}, checkout ${event.checkout.id})`,
  )
}

function nextState(order: Order, { phase, price, previousStatus, alsoPaid }: StatusEvent): OrderState {
  const due = priceOf(order)
  const fits = price.asset === due.asset && price.amount === due.amount
  switch (phase) {
    case 'paid':
      return fits && alsoPaid.length === 0 ? 'paid' : 'review'
    case 'paid_less':
    case 'paid_more':
      return 'review'
    case 'seen':
      return order.state === 'open' ? 'seen' : order.state
    case 'ended':
      // Other checkouts of the order may end at any time. Only the one that brought the order to
      // its state can undo it.
      if (order.state === 'paid' && previousStatus === 'confirmed') return 'review'
      return order.state === 'seen' && previousStatus === 'pending' ? 'open' : order.state
    case 'waiting':
      return order.state
  }
}
