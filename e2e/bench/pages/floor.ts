/** The floor: a payment panel as one would write it by hand, for speed and nothing else. */
import { renderSVG } from 'uqr'
import { clockText, order, statusOf, uriOf } from './order.ts'

const shown = await order()
const endMs = performance.now() + shown.expiresInMs
const root = document.getElementById('root') as HTMLElement
root.innerHTML = `<div class="w"><h2>${shown.amount} BTC</h2><div>on Bitcoin</div><div class="t" role="timer">20:00</div><div class="q">${renderSVG(uriOf(shown), { border: 4, ecc: 'M' })}</div><div class="a">${shown.address}</div><button>Copy address</button><p role="status">Waiting for payment</p></div>`
const find = (selector: string) => root.querySelector(selector) as HTMLElement
const clock = find('.t').firstChild as Text
const status = find('p').firstChild as Text
find('button').onclick = () => navigator.clipboard.writeText(shown.address)
setInterval(() => {
  const text = clockText(endMs)
  if (clock.data !== text) clock.data = text
}, 1000)
setInterval(async () => {
  const now = await statusOf(shown.id)
  if (now !== 'open') status.data = now
}, 5000)
