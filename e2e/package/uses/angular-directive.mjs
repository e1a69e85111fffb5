/**
 * Prints what the directive of Angular does to its element, what the shop hears of its events, and
 * whether `require` has the same one.
 */
import { createRequire } from 'node:module'
import '@angular/compiler'
import { DestroyRef, ElementRef, Injector, runInInjectionContext } from '@angular/core'
import { PaywindowDirective } from 'paywindow/element/angular'

const element = new EventTarget()
const injector = Injector.create({
  providers: [
    { provide: ElementRef, useValue: new ElementRef(element) },
    { provide: DestroyRef, useValue: { onDestroy: () => undefined } },
  ],
})
const directive = runInInjectionContext(injector, () => new PaywindowDirective())
const heard = []
for (const output of ['paywindowStatus', 'paywindowConfirmed', 'paywindowError'])
  directive[output].subscribe(({ type }) => heard.push(type))
for (const name of ['status', 'confirmed', 'error']) element.dispatchEvent(new CustomEvent(`paywindow:${name}`))
directive.ngOnChanges({ reference: { currentValue: 'cart-42' }, keepTitle: { currentValue: false } })
const required = createRequire(import.meta.url)('paywindow/element/angular')
const isSame = required.PaywindowDirective === PaywindowDirective
console.log(JSON.stringify({ isSame, heard, ...element }))
