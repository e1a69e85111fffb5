// The orders of the shop, and what it does with a payment. Yours come from your database.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createPaywindow, fromHeader } from 'paywindow/server/node'

const orders = new Map([['cart-42', { total: '49.90', paid: false }]])
// Whether this is a test shop: with the sandbox as the service. Leave it out with a real account.
const isTest = process.env.PAYWINDOW_TEST === 'yes'

// A cart as its customer's page names it: anybody can guess `cart-42`, and nobody else can sign it. Let a page sign the cart that your session
// says is this visitor's. Keep the secret: under another name, an open cart could be paid once more. With an empty one, everybody could sign.
const secret = process.env.CART_SECRET
if (!secret?.trim()) throw new Error('CART_SECRET is not set: make it with openssl rand -hex 32')
export const signed = (cart) => `${cart}.${createHmac('sha256', secret).update(cart).digest('base64url')}`
const cartOf = (reference) => reference.slice(0, reference.lastIndexOf('.'))
function isSigned(reference) {
  const [given, right] = [Buffer.from(reference), Buffer.from(signed(cartOf(reference)))]
  return given.length === right.length && timingSafeEqual(given, right)
}

export const paywindow = createPaywindow({
  service: {
    baseUrl: process.env.PAYWINDOW_SERVICE_URL,
    accessToken: process.env.PAYWINDOW_ACCESS_TOKEN,
    subAccountId: process.env.PAYWINDOW_SUB_ACCOUNT_ID,
  },
  test: isTest,
  // Behind reverse proxies: how many of yours a request passes. Then a payer is who they name, for limits; else all payers may count as one.
  clientKey: Number(process.env.PROXIES)
    ? fromHeader('x-forwarded-for', { trustedHops: Number(process.env.PROXIES) })
    : undefined,
  // What a visitor may pay: nothing, for one who has no page of this cart.
  offer: async ({ reference }) => {
    const order = isSigned(reference) && orders.get(cartOf(reference))
    if (!order) return null
    return {
      price: { asset: 'USD', amount: order.total },
      methods: [
        { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
        { asset: 'XRP', network: 'ripple', name: 'XRP' },
      ],
      merchant: { name: 'Lantern Books' },
      description: 'Order 42',
    }
  },
  // Called at least once for each change, also when the payer has left. Return when you have stored it, or throw to be called again.
  onStatusChange: async ({ eventId, reference, phase, price, checkout }) => {
    const cart = cartOf(reference)
    const order = orders.get(cart)
    if (!order) throw new Error(`there is no order ${cart}`)
    if (phase !== 'paid' || order.paid) return
    // Of a store that was a test shop's.
    if (checkout.test && !isTest)
      return console.error(`TEST, no money has moved for ${cart}: this shop is live, and does nothing.`)
    // The price is as `offer` gave it. Where it is another one, a person has to look: another call would see the same.
    if (price.asset !== 'USD' || price.amount !== order.total)
      return console.error(`paid with another price: ${cart}, ${price.amount} ${price.asset}`)
    order.paid = true
    console.log(`paid: ${cart}, ${order.total} USD (${eventId})`)
  },
})

// Follows orders that nobody looks at. In one process; or call watchOnce() from a job every minute.
// Some bundlers load this file twice, and development servers do after each edit: the last one goes on.
globalThis.watching?.stop()
globalThis.watching = paywindow.watch()
