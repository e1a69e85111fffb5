/**
 * The plain page's own script: keeps the order's state as the server knows it. The widget's events are only a reason to ask
 * at once: what a browser says is no proof of payment.
 */
import { askOrder, type OrderView, watchOrder } from './order.ts'

const state = document.querySelector<HTMLElement>('#order-state')
const stateAtLoad = state?.dataset.state

function show(order: OrderView): void {
  if (!state) return
  // What can be done with the order has changed, and the server knows how the page looks then; the widget stays.
  const couldChange = stateAtLoad === 'open' && order.state !== 'open'
  for (const form of document.querySelectorAll<HTMLElement>('.quantity')) form.hidden = couldChange
  state.dataset.state = order.state
  if (state.textContent !== order.stateText) state.textContent = order.stateText
}

async function refresh(): Promise<void> {
  const order = await askOrder('/api/order')
  if (order) show(order)
}

watchOrder(show)
document.addEventListener('paywindow:status', refresh)
document.addEventListener('paywindow:confirmed', refresh)
