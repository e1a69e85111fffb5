import { Component, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { PaywindowDirective } from 'paywindow/element/angular'

// Whose cart it is, the server knows by its session.
const { reference } = await (await fetch('/cart')).json()

@Component({
  selector: 'shop-page',
  imports: [PaywindowDirective],
  template: `
    <h1>Pay for order 42</h1>
    <pay-window endpoint="/paywindow" [reference]="reference()" (paywindowConfirmed)="thanks.set('Your books are on their way.')" />
    <p role="status">{{ thanks() }}</p>
  `,
})
class ShopPage {
  readonly reference = signal(reference)
  readonly thanks = signal('')
}

bootstrapApplication(ShopPage)
