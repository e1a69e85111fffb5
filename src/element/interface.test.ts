import { expectTypeOf, it } from 'vitest'
import type { PaywindowAttributes, PaywindowEventMap } from './interface.ts'
import type { eventNames, PaywindowElement } from './paywindow-element.ts'
import type { attributeNames } from './reflecting-element.ts'

it('names exactly the attributes and events that the element has', () => {
  expectTypeOf<keyof PaywindowAttributes>().toEqualTypeOf<(typeof attributeNames)[number]>()
  expectTypeOf<keyof PaywindowEventMap>().toEqualTypeOf<(typeof eventNames)[keyof typeof eventNames]>()
})

it('tells a listener what the event brings, and leaves other events as they are', () => {
  const listen = (element: PaywindowElement) => {
    element.addEventListener('paywindow:confirmed', ({ detail }) => expectTypeOf(detail.id).toEqualTypeOf<string>())
    element.addEventListener('click', (event) => expectTypeOf(event).toEqualTypeOf<PointerEvent>())
    element.addEventListener('another', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
    // @ts-expect-error: the detail is a checkout.
    element.addEventListener('paywindow:confirmed', ({ detail }) => detail.code)
  }
  expectTypeOf(listen).toBeFunction()
})
