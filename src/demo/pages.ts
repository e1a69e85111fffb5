/**
 * The shop's pages. They contain no inline scripts or styles, so that the policy in headers.ts can
 * forbid both.
 */
import type { MadeLink } from 'paywindow/server'
import { books, dollars, maxQuantity } from './catalog.ts'
import { type Html, html } from './html.ts'
import { stateTexts, viewOf } from './order-view.ts'
import { type Order, priceOf, referenceOf } from './orders.ts'
import { payerPanel } from './payer-panel.ts'

/** What stands in the widget's place where its script does not arrive, or is blocked. */
const notLoaded = 'The payment has not loaded yet. Reload the page, or write to us.'

/** What a page needs to know besides the order. */
export interface PageContext {
  /** Whether the sandbox plays the service, so that there is a payer to simulate. */
  readonly simulated: boolean
}

/**
 * `/`: plain HTML with the script tag. @param drawn - The widget as `paywindow.html` draws it, at
 * `/drawn`.
 */
export function plainPage(order: Order, context: PageContext, drawn?: string): string {
  return layout({
    title: 'Checkout',
    head: html`${
      drawn !== undefined &&
      html`
    <link rel="modulepreload" href="/paywindow-later.js">`
    }
    <script src="/paywindow.js" defer></script>
    <script src="/assets/production/shop.js" type="module"></script>`,
    context,
    main: html`
      ${openOrder(order)}
      <div class="pay">
        ${drawn === undefined ? html`<pay-window endpoint="/paywindow" reference="${referenceOf(order)}" handover-url="/pay" support-url="https://lantern.example/help"><img slot="logo" src="/lantern.svg" alt="" width="40" height="40">${notLoaded}</pay-window>` : { html: drawn }}
      </div>${payerOf(order, context)}`,
  })
}

/**
 * `/react`: a page that React fills. `build` chooses which build of React draws it. Until then the
 * page shows the order as React will draw it, and beside it an empty card of the widget, which is
 * as high as a full one.
 */
export function reactPage(order: Order, context: PageContext, build: 'production' | 'development'): string {
  return layout({
    title: 'Checkout',
    head: html`
    <link rel="stylesheet" href="/assets/${build}/storefront.css">
    <link rel="modulepreload" href="/assets/${build}/order.js">
    <script src="/assets/${build}/storefront.js" type="module"></script>`,
    context,
    main: html`
      <div id="storefront" data-order="${JSON.stringify(viewOf(order))}">
        ${openOrder(order)}
        <div class="pay"><div class="pw"><div class="pw-card"></div></div></div>
      </div>${payerOf(order, context)}`,
  })
}

/** What the button *Send a link* shows: the link to this order, and its code. */
export function linkPage(order: Order, { url, code }: MadeLink): string {
  const { pathname, search } = new URL(url)
  return layout({
    title: 'Payment link',
    head: html``,
    context: { simulated: false },
    main: html`
      <section class="order alone" aria-labelledby="link-title">
        <h1 id="link-title">A link to pay order ${order.number}</h1>
        <p>Send it, or print its code. Whoever has it can pay this order within a week.</p>
        <p class="code">${{ html: code }}</p>
        <p><a href="${pathname}${search}">Open the link</a> · <a href="/">Back to the checkout</a></p>
      </section>`,
  })
}

/** `/pay`: shows what another device handed over. It does not know the visitor, and need not. */
export function handoverPage(): string {
  return layout({
    title: 'Payment',
    head: html`
    <script src="/paywindow.js" defer></script>`,
    context: { simulated: false },
    main: html`
      <div class="pay alone">
        <h1>Your payment</h1>
        <pay-window endpoint="/paywindow">${notLoaded}</pay-window>
      </div>`,
  })
}

/** `/order`: the page that the widget's button leads to when the order is paid. */
export function orderPage(order: Order, context: PageContext): string {
  return layout({
    title: `Order ${order.number}`,
    head: html`
    <script src="/assets/production/shop.js" type="module"></script>`,
    context,
    main: html`
      <section class="order alone" aria-labelledby="order-title">
        <h1 id="order-title">Order ${order.number}</h1>
        ${totals(order)}
        <p><a href="/">Back to the checkout</a></p>
        ${newOrder()}
      </section>`,
  })
}

const nextOf = { open: 'exact', seen: 'confirm', paid: null, review: null } as const

function payerOf({ state }: Order, { simulated }: PageContext): Html | false {
  return simulated && payerPanel(nextOf[state])
}

function openOrder(order: Order): Html {
  return html`
      <section class="order" aria-labelledby="order-title">
        <h1 id="order-title">Order ${order.number}</h1>
        <ul class="books">${books.map((book) => bookRow(order, book))}</ul>
        ${totals(order)}
        ${newOrder()}
      </section>`
}

function bookRow(order: Order, book: (typeof books)[number]): Html {
  const quantity = order.cart[book.id] ?? 0
  return html`
          <li class="book">
            <img src="/covers/${book.id}.svg" alt="" width="56" height="80">
            <div>
              <h2>${book.title}</h2>
              <p>${book.kind} · ${dollars(book.priceCents)} USD</p>
              ${order.state === 'open' ? quantityForm(book, quantity) : html`<p>Quantity ${quantity}</p>`}
            </div>
          </li>`
}

function quantityForm(book: (typeof books)[number], quantity: number): Html {
  const button = (sign: string, word: string, value: number) => html`
                <button name="quantity" value="${value}" aria-label="${word} copy of ${book.title}"${
                  value < 0 || value > maxQuantity ? html` disabled` : null
                }>${sign}</button>`
  return html`
              <form class="quantity" method="post" action="/cart">
                <input type="hidden" name="book" value="${book.id}">
                ${button('−', 'One less', quantity - 1)}
                <span>${quantity}</span>
                ${button('+', 'One more', quantity + 1)}
              </form>`
}

function totals(order: Order): Html {
  const { amount, asset } = priceOf(order)
  return html`
        <dl class="totals">
          <div><dt>Total</dt><dd>${amount} ${asset}</dd></div>
          <div><dt>Status</dt><dd id="order-state" data-state="${order.state}">${stateTexts[order.state]}</dd></div>
        </dl>`
}

function newOrder(): Html {
  return html`
        <form method="post" action="/link">
          <button>Send a link</button>
        </form>
        <form method="post" action="/till" target="_blank">
          <button>Open a till</button>
        </form>
        <form method="post" action="/order/new">
          <button>Start a new order</button>
        </form>`
}

function layout(page: { title: string; head: Html; main: Html; context: PageContext }): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${page.title} · Lantern Books</title>
    <link rel="icon" href="/lantern.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/shop.css">${page.head}${
      page.context.simulated &&
      html`
    <script src="/assets/production/payer.js" type="module"></script>`
    }
  </head>
  <body>
    <header class="shop">
      <a class="brand" href="/"><img src="/lantern.svg" alt="" width="32" height="32">Lantern Books</a>
      <nav aria-label="Pages"><a href="/">Script tag</a><a href="/drawn">Server</a><a href="/react">React</a></nav>
    </header>
    <main>${page.main}
    </main>
    <footer class="shop"><p>A small shop that sells light reading, to show Paywindow at work.</p></footer>
  </body>
</html>
`.html
}
