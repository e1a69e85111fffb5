/**
 * The plug-in for WooCommerce on WordPress: every outcome, as WooCommerce's own functions say it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { signWebhook } from '../../src/serve/standard-webhook.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import type { Server } from '../proxies/start.ts'
import { startHttps, startMariaDb, startPhp } from './php.ts'
import { type Shop, testShop } from './shop.ts'
import { installWordPress } from './woocommerce/wordpress.ts'

let ask: (query: string, init?: RequestInit) => Promise<Response>
let shop: Shop
let eventsSecret: string
let content: string

testShop(
  {
    platform: 'woocommerce',
    statuses: {
      seen: 'on-hold',
      paid: 'processing',
      'paid, and the server killed before the order was stored': 'processing',
      short: 'on-hold',
      'short, then topped up': 'processing',
      over: 'on-hold',
      'over, then confirmed': 'processing',
      late: 'on-hold',
      'late, then accepted': 'processing',
      ended: 'pending',
      lapsed: 'cancelled',
      'lapsed, then paid': 'processing',
      'lapsed, then late': 'on-hold',
      returned: 'on-hold',
      'paid, then taken back': 'on-hold',
      'paid twice': 'processing',
    },
    stock: { pending: 5, 'on-hold': 4, processing: 4, cancelled: 5 },
    byHand: 'completed',
    untaken: 'trash',
    back: /order-received/,
  },
  async (payments) => {
    const database = await startMariaDb()
    const [port, otherPort] = [await freePort(), await freePort()]
    const https = await startHttps(port)
    const url = `https://localhost:${https.port}`
    const { folder, remove } = installWordPress({ databasePort: database.port, url, payments })
    let server: Server = await startPhp(folder, port)
    const other = await startPhp(folder, otherPort)
    eventsSecret = payments.eventsSecret
    content = join(folder, 'content')
    ask = (query, init) =>
      fetch(`http://127.0.0.1:${port}/?storefront=${query}`, {
        ...init,
        redirect: 'manual',
        headers: { 'x-forwarded-proto': 'https' },
      })
    shop = {
      url: `${url}/?storefront=shop`,
      eventsUrl: () => `http://127.0.0.1:${port}/?wc-api=paywindow`,
      otherEventsUrl: `http://127.0.0.1:${otherPort}/?wc-api=paywindow`,
      buy: async () => {
        const { headers } = await ask('checkout', { method: 'POST' })
        return { order: headers.get('x-order') ?? '', link: headers.get('location') ?? '' }
      },
      read: async (order) => (await ask(`order&id=${order}`)).json(),
      setStatus: async (order, status) => {
        await ask(`change&id=${order}&status=${status}`)
      },
      setTest: async (isTest) => {
        await ask(`test&is=${isTest ? 'yes' : 'no'}`)
      },
      failMail: (when) => writeFileSync(join(content, `mail-${when}`), ''),
      dieInNextPayment: () => {
        writeFileSync(join(folder, 'content/die'), '')
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
    return shop
  },
)

/** Tells the shop of a payment, and returns the status of its answer. */
async function tell(order: string, type: string, amount = '49.90'): Promise<number> {
  const at = new Date().toISOString()
  const data = { order, price: { asset: 'EUR', amount }, phase: type, checkout: 'a-checkout', at, also_paid: [] }
  const body = JSON.stringify({ type: `payment.${type}`, timestamp: at, data })
  const [id, timestampS] = [`evt_${order}_${type}`, Math.floor(Date.now() / 1_000)]
  const signature = signWebhook([eventsSecret], id, timestampS, body)
  const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestampS}`, 'webhook-signature': signature }
  return (await fetch(shop.eventsUrl(), { method: 'POST', body, headers })).status
}

it.each([
  ['another plug-in ends the request of', 'exit'],
  ['the database undoes', 'undo'],
])('takes no event for done when %s its payment', async (_, what) => {
  const { order } = await shop.buy()
  writeFileSync(join(content, what), '')
  expect(await tell(order, 'paid')).toBe(500)
  expect(await shop.read(order)).toMatchObject({ status: 'pending', transaction: '' })
  expect(await tell(order, 'paid')).toBe(204)
  const { status, notes } = await shop.read(order)
  expect(status).toBe('processing')
  expect(notes.filter((note) => note.includes('Paywindow: paid'))).toHaveLength(1)
})

it('leaves an order in a status that the shop has made, and says that it is paid', async () => {
  const { order } = await shop.buy()
  await shop.setStatus(order, 'packing')
  for (const type of ['seen', 'paid', 'short', 'lapsed', 'taken_back']) expect(await tell(order, type)).toBe(204)
  const { status, notes } = await shop.read(order)
  expect(status).toBe('packing')
  expect(notes.filter((note) => note.includes('ATTENTION'))).toHaveLength(5)
})

it('stops an order that is paid and in a status that the shop has made', async () => {
  const { order } = await shop.buy()
  expect(await tell(order, 'paid')).toBe(204)
  await shop.setStatus(order, 'packing')
  expect(await tell(order, 'taken_back')).toBe(204)
  expect(await shop.read(order)).toMatchObject({
    status: 'on-hold',
    notes: expect.arrayContaining([expect.stringContaining('STOP')]),
  })
})

it('takes no event while there is no WooCommerce', async () => {
  const { order } = await shop.buy()
  const at = join(content, 'plugins/woocommerce')
  renameSync(at, `${at}-away`)
  expect(await tell(order, 'paid')).toBe(503)
  renameSync(`${at}-away`, at)
  expect(await tell(order, 'paid')).toBe(204)
  expect((await shop.read(order)).status).toBe('processing')
})

it('knows the price again that a customer saw with the decimals of another currency', async () => {
  const answer = await ask('checkout&decimals=3', { method: 'POST' })
  const order = answer.headers.get('x-order') ?? ''
  expect(await tell(order, 'paid', '49.900')).toBe(204)
  expect((await shop.read(order)).status).toBe('processing')
})

it('knows the price of an order whose link was made without the decimals', async () => {
  const { order } = await shop.buy()
  await ask(`forget&id=${order}`)
  expect(await tell(order, 'paid')).toBe(204)
  expect((await shop.read(order)).status).toBe('processing')
})

it.each([
  ['the customer pays in another way', 'transfer', 'on-hold'],
  ['the shop has put away', 'change&status=trash', 'trash'],
])('cancels no order that %s', async (_, change, status) => {
  const { order } = await shop.buy()
  await ask(`${change}&id=${order}`)
  expect(await tell(order, 'lapsed')).toBe(204)
  expect((await shop.read(order)).status).toBe(status)
})

it('shows itself in a checkout of blocks', async () => {
  const shown = await (await ask('blocks')).json()
  const data = { title: 'Coins', description: 'Choose one.' }
  expect(shown).toEqual([true, data, [expect.stringMatching(/\/plugins\/paywindow\/blocks\.js$/)]])
  const registerPaymentMethod = vi.fn()
  runInNewContext(readFileSync(join(import.meta.dirname, '../../plugins/woocommerce/blocks.js'), 'utf8'), {
    wc: { wcSettings: { getSetting: () => data }, wcBlocksRegistry: { registerPaymentMethod } },
    wp: { element: { createElement: (...parts: readonly unknown[]) => parts } },
  })
  expect(registerPaymentMethod).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'paywindow', label: 'Coins', content: ['p', null, 'Choose one.'] }),
  )
})
