/**
 * The plug-in for WooCommerce on WordPress: every outcome, as WooCommerce's own functions say it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { type Server, startHttps, startMariaDb, startPhp } from './php.ts'
import { testShop } from './shop.ts'
import { installWordPress } from './woocommerce/wordpress.ts'

let ask: (query: string, init?: RequestInit) => Promise<Response>

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
    ask = (query, init) =>
      fetch(`http://127.0.0.1:${port}/?storefront=${query}`, {
        ...init,
        redirect: 'manual',
        headers: { 'x-forwarded-proto': 'https' },
      })
    return {
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
  },
)

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
