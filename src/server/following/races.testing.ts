/** Servers with one store and different clocks, for the tests of races. */
import { type KeyedCheckout, keyHeader } from '../../contract/checkout.ts'
import type { PaywindowErrorCode } from '../../contract/errors.ts'
import { parseCheckout, parseKeyedCheckout } from '../../contract/parsers.ts'
import { createSandbox, type SandboxOptions, seededRandom } from '../../sandbox/index.ts'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createPaywindow } from '../paywindow.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

/** Prices of carts other than 49.90. */
const prices: Readonly<Record<string, string>> = { dear: '310.00' }

/** One service and one store, and as many servers as a test wants, each with its own wall clock. */
export function world(options: SandboxOptions = {}) {
  const clock = createVirtualClock()
  const startMs = clock.now()
  const sandbox = createSandbox({ clock, random: seededRandom(1), ...options })
  const store = createMemoryStore(clock.now)
  const told: string[] = []
  const errors: PaywindowErrorCode[] = []

  function server(offset = { ms: 0 }, seen: (store: Store) => Store = (same) => same) {
    const paywindow = createPaywindow({
      service: { ...sandbox.access },
      clock: { now: () => clock.now() + offset.ms, monotonic: () => clock.now() - startMs, sleep: clock.sleep },
      store: seen(store),
      test: true,
      clientKey: () => '203.0.113.7',
      offer: ({ reference }) => ({
        price: { asset: 'USD', amount: prices[reference] ?? '49.90' },
        methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
        merchant: { name: 'Lantern Books' },
      }),
      onError: ({ code }) => {
        errors.push(code)
      },
      onStatusChange: ({ checkout, status }) => {
        told.push(`${checkout.reference} ${status}`)
      },
    })
    const post = async (path: string, body: unknown, key = '') => {
      const headers = { 'content-type': 'application/json', [keyHeader]: key }
      const url = `https://shop.example/paywindow${path}`
      const answer = await paywindow.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
      return parseKeyedCheckout(await answer.json())
    }
    return {
      paywindow,
      open: (reference = 'a') => post('/checkouts', { reference }),
      renew: ({ id, key }: KeyedCheckout) => post(`/checkouts/${id}/renew`, {}, key),
      poll: async ({ id, key }: KeyedCheckout) => {
        const url = `https://shop.example/paywindow/checkouts/${id}`
        return parseCheckout(await (await paywindow.fetch(new Request(url, { headers: { [keyHeader]: key } }))).json())
      },
    }
  }

  const own = ({ address }: KeyedCheckout) => {
    const order = sandbox.orders().find((candidate) => candidate.address === address)
    if (!order) throw new Error('The payer was shown an address that no order has')
    return order
  }
  const pay = (checkout: KeyedCheckout) => {
    const order = own(checkout)
    sandbox.payer.deposit({ address: checkout.address, amount: order.sourceAmount })
    sandbox.payer.confirm(order.id)
  }
  return { sandbox, told, errors, server, own, pay, run: clock.run, pass: (ms: number) => clock.run(clock.sleep(ms)) }
}
