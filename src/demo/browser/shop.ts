/**
 * The plain page's own script: keeps the order's state on the page as the server knows it. The
 * widget's events are only a reason to ask at once: what a browser says is no proof of payment.
 */
import { askOrder, type OrderView, watchOrder } from './order.ts'

const state = document.querySelector<HTMLElement>('#order-state')
const stateAtLoad = state?.dataset.state

function show(order: OrderView): void {
  if (!state) return
  // An order that is no longer open cannot be changed, so its forms are hidden, as the server draws
  // it then; the widget stays.
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
