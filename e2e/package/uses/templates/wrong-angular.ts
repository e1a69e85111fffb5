import { Component } from '@angular/core'
import { PaywindowDirective } from 'paywindow/element/angular'

@Component({
  selector: 'shop-page',
  imports: [PaywindowDirective],
  template: `
    <pay-window reference="cart-42" />
    <pay-window endpoint="/paywindow" theme="purple" />
    <pay-window endpoint="/paywindow" [refrence]="'cart-42'" />
    <pay-window endpoint="/paywindow" [reference]="42" />
    <pay-window endpoint="/paywindow" (paywindowConfirmed)="thank($event.detail.idd)" />
    <pay-window endpoint="/paywindow" (paywindowPaid)="thank($event)" />
  `,
})
export class ShopPage {
  thank(_id: string) {}
}
