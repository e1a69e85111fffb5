/** A page with the custom element. */
import { type OpenPaywindow, openPaywindow, PaywindowElement } from 'paywindow/element'
import 'paywindow/element/define'

export const element: PaywindowElement = document.createElement('pay-window')
element.endpoint = '/paywindow'
element.texts = { paidTitle: 'Paid. Your books are on their way.' }
element.addEventListener('paywindow:confirmed', ({ detail }) => console.log(detail.id.toUpperCase()))
document.addEventListener('paywindow:confirmed', ({ detail }) => console.log(detail.id.toUpperCase()))
window.addEventListener('paywindow:error', ({ detail }) => console.log(detail.code.toUpperCase()))
document.body.addEventListener('paywindow:status', ({ detail }) => console.log(detail.checkout?.id))
export class Own extends PaywindowElement {}

// @ts-expect-error: text is wanted.
element.reference = 42
// @ts-expect-error: no such text.
element.texts = { paidTitel: '' }
// @ts-expect-error: the detail is an error.
element.addEventListener('paywindow:error', ({ detail }) => detail.id)
// @ts-expect-error: the detail is a checkout.
document.addEventListener('paywindow:confirmed', ({ detail }) => detail.code)

const options = { endpoint: '/paywindow', reference: 'cart-42' }
export const opened: OpenPaywindow = openPaywindow({ ...options, onConfirmed: ({ id }) => console.log(id) })
export const same: OpenPaywindow | undefined = window.Paywindow?.open(options)
// @ts-expect-error: a page may not have the script.
window.Paywindow.open(options)
// @ts-expect-error: an endpoint is required.
openPaywindow({ reference: 'cart-42' })
