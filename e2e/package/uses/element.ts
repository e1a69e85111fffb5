/** A page with the custom element. */
import { PaywindowElement } from 'paywindow/element'
import 'paywindow/element/define'

export const element: PaywindowElement = document.createElement('pay-window')
element.endpoint = '/paywindow'
element.texts = { paidTitle: 'Paid. Your books are on their way.' }
export class Own extends PaywindowElement {}

// @ts-expect-error: text is wanted.
element.reference = 42
// @ts-expect-error: no such text.
element.texts = { paidTitel: '' }
