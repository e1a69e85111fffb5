// The orders of the shop, and what it does with a payment. Yours come from your database.
import { createPaywindow } from 'paywindow/server/node'

const orders = new Map([['cart-42', { total: '49.90', paid: false }]])

export const paywindow = createPaywindow({
  service: {
    baseUrl: process.env.PAYWINDOW_SERVICE_URL,
    accessToken: process.env.PAYWINDOW_ACCESS_TOKEN,
    subAccountId: process.env.PAYWINDOW_SUB_ACCOUNT_ID,
  },
  // With the sandbox as the service. Leave it out with a real account.
  test: process.env.PAYWINDOW_TEST === 'yes',
  // Ask here whose order it is: return null to a visitor who may not pay it.
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
  // Called at least once for each change, also when the payer has left. Return when you have stored it.
  onStatusChange: async ({ eventId, reference, phase, price }) => {
    const order = orders.get(reference)
    if (phase !== 'paid' || !order || order.paid) return
    // As numbers: 49.90 comes back as 49.9.
    if (price.asset !== 'USD' || Number(price.amount) !== Number(order.total))
      throw new Error(`another price: ${price.amount}`)
    order.paid = true
    console.log(`paid: ${reference}, ${order.total} USD (${eventId})`)
  },
})

// Follows orders that nobody looks at. In one process; or call watchOnce() from a job every minute.
paywindow.watch()

// Some servers only stop listening when they are told to end, and would go on following orders.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await paywindow.close()
    process.exit()
  })
