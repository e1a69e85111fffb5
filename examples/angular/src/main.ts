import { Component, CUSTOM_ELEMENTS_SCHEMA, type ElementRef, signal, viewChild } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import type { PaywindowElement } from 'paywindow/element'
import 'paywindow/element/define'

@Component({
  selector: 'shop-page',
  // Angular knows no types of elements: with this schema it checks no attribute, so look twice at how they are written.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <h1>Pay for order 42</h1>
    <pay-window #payment endpoint="/paywindow" [attr.reference]="reference()"></pay-window>
    <p role="status">{{ thanks() }}</p>
  `,
})
class ShopPage {
  readonly reference = signal('cart-42')
  readonly thanks = signal('')
  readonly payment = viewChild.required<ElementRef<PaywindowElement>>('payment')

  ngAfterViewInit() {
    // In a template Angular would take what stands before the colon for the name of a target.
    this.payment().nativeElement.addEventListener('paywindow:confirmed', () => {
      this.thanks.set('Your books are on their way.')
    })
  }
}

bootstrapApplication(ShopPage)
