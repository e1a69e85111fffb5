/** The plug-in for OpenCart 4: every outcome, as OpenCart's own models say it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import type { Server } from '../proxies/start.ts'
import { installOpenCart, setTest } from './opencart/opencart.ts'
import { startHttps, startMariaDb, startPhp } from './php.ts'
import { testShop } from './shop.ts'

const route = (name: string) => `/index.php?route=extension/${name}`
const events = '/extension/paywindow/event.php'
let ask: (path: string) => Promise<Response>
let at: { readonly port: number; readonly databasePort: number; readonly folder: string }

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
    at = { port, databasePort: database.port, folder }
    ask = (path) => fetch(`http://127.0.0.1:${port}${route(`storefront/payment/shop.${path}`)}`)
    return {
      url: `${url}${route('storefront/payment/shop')}`,
      eventsUrl: () => `http://127.0.0.1:${port}${events}`,
      otherEventsUrl: `http://127.0.0.1:${otherPort}${events}`,
      buy: async () => {
        const answer = await ask('confirm')
        const { redirect } = (await answer.json()) as { readonly redirect: string }
        return { order: answer.headers.get('x-order') ?? '', link: redirect }
      },
      read: async (order) => (await ask(`order&id=${order}`)).json(),
      setStatus: async (order) => {
        await ask(`change&id=${order}&status=3`)
      },
      setTest: async (isTest) => setTest(folder, database.port, isTest),
      failMail: (when) => writeFileSync(join(folder, `extension/mail-${when}`), ''),
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

it('takes no event for done while its database is away', async () => {
  const { port, databasePort, folder } = at
  const tell = async () => (await fetch(`http://127.0.0.1:${port}${events}`, { method: 'POST' })).status
  const file = ['config.php', 'settings.json'].map((name) => join(folder, name)).find(existsSync) ?? ''
  const settings = readFileSync(file, 'utf8')
  writeFileSync(file, settings.replaceAll(`${databasePort}`, '1'))
  expect(await tell()).toBe(500)
  writeFileSync(file, settings)
  // Not signed.
  expect(await tell()).toBe(400)
})

it('leaves nothing of a placed order in the cart', async () => {
  expect((await ask('confirm')).headers.get('x-left')).toBe('')
})
