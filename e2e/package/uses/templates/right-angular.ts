import { Component, signal } from '@angular/core'
import { PaywindowDirective } from 'paywindow/element/angular'

@Component({
  selector: 'shop-page',
  imports: [PaywindowDirective],
  template: `
    <pay-window
      endpoint="/paywindow"
      theme="dark"
      handover-url="/pay"
      keep-title
      class="wide"
      id="pay"
      aria-label="Checkout"
      [reference]="cart()"
      [notify]="cart() !== null"
      [texts]="{ paidTitle: 'Paid. Your books are on their way.' }"
      (paywindowConfirmed)="thank($event.detail.id)"
      (paywindowStatus)="thank($event.detail.status)"
      (paywindowError)="thank($event.detail.code)"
      (click)="thank('')"
    />
  `,
})
export class ShopPage {
  readonly cart = signal<string | null>(null)
  thank(_id: string) {}
}
