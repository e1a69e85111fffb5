/** A page with the custom element. */
import { PaywindowElement } from 'paywindow/element'
import 'paywindow/element/define'

export const element: PaywindowElement = document.createElement('pay-window')
element.endpoint = '/paywindow'
element.texts = { paidTitle: 'Paid. Your books are on their way.' }
element.addEventListener('paywindow:confirmed', ({ detail }) => console.log(detail.id.toUpperCase()))
export class Own extends PaywindowElement {}

// @ts-expect-error: text is wanted.
element.reference = 42
// @ts-expect-error: no such text.
element.texts = { paidTitel: '' }
// @ts-expect-error: the detail is an error.
element.addEventListener('paywindow:error', ({ detail }) => detail.id)
