/** The plug-in for OpenCart 4: every outcome, as OpenCart's own models say it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { installOpenCart } from './opencart/opencart.ts'
import { type Server, startHttps, startMariaDb, startPhp } from './php.ts'
import { testShop } from './shop.ts'

const route = (name: string) => `/index.php?route=extension/${name}`

testShop(
  {
    platform: 'opencart',
    statuses: {
      seen: 'Pending',
      paid: 'Processing',
      'paid, and the server killed before the order was stored': 'Processing',
      short: 'Pending',
      'short, then topped up': 'Processing',
      over: 'Pending',
      'over, then confirmed': 'Processing',
      late: 'Pending',
      'late, then accepted': 'Processing',
      ended: 'Pending',
      lapsed: 'Canceled',
      'lapsed, then paid': 'Processing',
      'lapsed, then late': 'Pending',
      returned: 'Pending',
      'paid, then taken back': 'Reversed',
      'paid twice': 'Processing',
    },
    stock: { Pending: 4, Processing: 4, Reversed: 4, Canceled: 5 },
    byHand: 'Shipped',
    back: /checkout\/success/,
  },
  async (payments) => {
    const database = await startMariaDb()
    const [port, otherPort] = [await freePort(), await freePort()]
    const https = await startHttps(port)
    const url = `https://localhost:${https.port}`
    const { folder, remove } = installOpenCart({ databasePort: database.port, url, payments })
    let server: Server = await startPhp(folder, port)
    const other = await startPhp(folder, otherPort)
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${route(`storefront/payment/shop.${path}`)}`)
    return {
      url: `${url}${route('storefront/payment/shop')}`,
      eventsUrl: () => `http://127.0.0.1:${port}${route('paywindow/payment/paywindow.event')}`,
      otherEventsUrl: `http://127.0.0.1:${otherPort}${route('paywindow/payment/paywindow.event')}`,
      buy: async () => {
        const answer = await ask('confirm')
        const { redirect } = (await answer.json()) as { readonly redirect: string }
        return { order: answer.headers.get('x-order') ?? '', link: redirect }
      },
      read: async (order) => (await ask(`order&id=${order}`)).json(),
      setStatus: async (order) => {
        await ask(`change&id=${order}&status=3`)
      },
      dieInNextPayment: () => {
        writeFileSync(join(folder, 'extension/die'), '')
        return server.ended
      },
      restart: async () => {
        server = await startPhp(folder, port)
      },
      close: async () => {
        for (const each of [https, server, other, database]) await each.stop()
        remove()
      },
    }
  },
)
