// The orders of the shop, and what it does with a payment. Yours come from your database.
import { createPaywindow, fromHeader } from 'paywindow/server/node'

const orders = new Map([['cart-42', { total: '49.90', paid: false }]])

export const paywindow = createPaywindow({
  service: {
    baseUrl: process.env.PAYWINDOW_SERVICE_URL,
    accessToken: process.env.PAYWINDOW_ACCESS_TOKEN,
    subAccountId: process.env.PAYWINDOW_SUB_ACCOUNT_ID,
  },
  // With the sandbox as the service. Leave it out with a real account.
  test: process.env.PAYWINDOW_TEST === 'yes',
  // Behind reverse proxies: how many of yours a request passes. Then a payer is who they name, for limits; else all payers may count as one.
  clientKey: Number(process.env.PROXIES)
    ? fromHeader('x-forwarded-for', { trustedHops: Number(process.env.PROXIES) })
    : undefined,
  // Ask here whose order it is, by the cookies of `request`: return null to a visitor who may not pay it.
  offer: async ({ reference }) => {
    const order = orders.get(reference)
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
  onStatusChange: async ({ eventId, reference, phase, price }) => {
    const order = orders.get(reference)
    if (!order) throw new Error(`there is no order ${reference}`)
    if (phase !== 'paid' || order.paid) return
    // The price is as `offer` gave it. Where it is another one, a person has to look: another call would see the same.
    if (price.asset !== 'USD' || price.amount !== order.total)
      return console.error(`paid with another price: ${reference}, ${price.amount} ${price.asset}`)
    order.paid = true
    console.log(`paid: ${reference}, ${order.total} USD (${eventId})`)
  },
})

// Follows orders that nobody looks at. In one process; or call watchOnce() from a job every minute.
// Some bundlers load this file twice, and development servers do after each edit: the last one goes on.
globalThis.watching?.stop()
globalThis.watching = paywindow.watch()
