/** A Medusa shop for tests: its process, its database, and its own API. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/paths.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { startPostgres } from '../stores/postgres-server.ts'
import { holdUpRow, type NodeShop, type Platform } from './node-shops.ts'
import { compile, end, finished, said } from './program.ts'

export const medusa: Platform = {
  name: 'Medusa',
  price: { asset: 'USD', amount: '49.9' },
  settled: ['pending', 'captured'],
  waiting: ['pending', 'awaiting'],
  // Before anything has been saved, and after the payment is captured and not written down.
  places: ['payment_session', 'order'],
  configured: import.meta.filename,
  open,
}

const plugin = join(root, 'plugins', 'medusa')
const admin = { email: 'admin@shop.example', password: 'only-for-tests' }

/** A customer writes metadata of a cart, and Medusa copies them to the order. */
const forged = { paywindow: { events: {}, heard: { 'a-checkout': '2099' }, notes: ['Paid, says the customer.'] } }

const config = `const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'only for tests', cookieSecret: 'only for tests' },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: './src/modules/paywindow',
            id: 'paywindow',
            options: {
              serverUrl: process.env.PAYWINDOW_SERVER_URL, // https://pay.shop.example/books
              apiSecret: process.env.PAYWINDOW_BOOKS_API_SECRET,
              eventsSecret: process.env.PAYWINDOW_BOOKS_EVENTS_SECRET,
              test: process.env.PAYWINDOW_TEST === 'yes', // only with the sandbox or a test account
              returnUrl: process.env.STOREFRONT_URL + '/orders',
            },
          },
        ],
      },
    },
  ],
})
`

/** The folder of a project, with the plug-in in it. */
function makeProject(): string {
  compile('medusa')
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-medusa-'))
  symlinkSync(join(plugin, 'node_modules'), join(folder, 'node_modules'), 'junction')
  cpSync(join(plugin, 'dist'), join(folder, 'src'), { recursive: true })
  const dependencies = { '@medusajs/medusa': '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, dependencies }))
  writeFileSync(join(folder, 'medusa-config.js'), config)
  return folder
}

async function open(settings: Parameters<Platform['open']>[0], storefront: string): Promise<NodeShop> {
  const folder = makeProject()
  const postgres = await startPostgres()
  const database = postgres.openPool()
  const port = await freePort()
  const env = {
    ...process.env,
    // Tests tell nobody that they ran.
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'production',
    PORT: `${port}`,
    DATABASE_URL: `${postgres.url}?sslmode=disable`,
    STOREFRONT_URL: storefront,
    PAYWINDOW_SERVER_URL: settings.page.replace(/\/pay$/, ''),
    PAYWINDOW_BOOKS_API_SECRET: settings.apiSecret,
    PAYWINDOW_BOOKS_EVENTS_SECRET: settings.eventsSecret,
    PAYWINDOW_TEST: 'yes',
  }
  const cli = join(plugin, 'node_modules', '@medusajs', 'cli', 'cli.js')
  for (const args of [['db:migrate'], ['user', '-e', admin.email, '-p', admin.password]])
    await finished(spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))

  const ask = askerOf(`http://127.0.0.1:${port}`)
  let server: ChildProcess | undefined
  let asAdmin: Record<string, string> = {}
  let goods: Goods | undefined
  let keptBefore = 0

  const stockKept = async () => {
    const { inventory_items } = await ask('GET', '/admin/inventory-items', undefined, asAdmin)
    return inventory_items[0].reserved_quantity
  }
  const lookUp = async (id: string) => {
    const fields = 'status,payment_status,metadata,payment_collections.payments.data'
    return (await ask('GET', `/admin/orders/${id}?fields=${fields}`, undefined, asAdmin)).order
  }

  return {
    eventsUrl: `http://127.0.0.1:${port}/paywindow/events`,
    start: async (test = true) => {
      env.PAYWINDOW_TEST = test ? 'yes' : 'no'
      server = spawn(process.execPath, [cli, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      await said(server, /Server is ready on port/)
      const { token } = await ask('POST', '/auth/user/emailpass', admin)
      asAdmin = { authorization: `Bearer ${token}` }
      goods ??= await putOnSale(
        (path, body) => ask('POST', path, body, asAdmin),
        (path) => ask('GET', path, undefined, asAdmin),
      )
    },
    kill: () => end(server, 'SIGKILL'),
    close: async () => {
      await end(server, 'SIGTERM')
      await postgres.stop()
      rmSync(folder, { recursive: true })
    },

    buy: async () => {
      if (!goods) throw new Error('the shop has not started')
      keptBefore = await stockKept()
      const { key, region, variant, shipping } = goods
      const send = (path: string, body: object = {}) => ask('POST', path, body, { 'x-publishable-api-key': key })
      const address = { first_name: 'A', last_name: 'Guest', address_1: 'Quay 1', city: 'Delft', country_code: 'nl' }
      const { cart } = await send('/store/carts', {
        region_id: region,
        email: 'guest@shop.example',
        shipping_address: address,
        billing_address: address,
        items: [{ variant_id: variant, quantity: 1 }],
        metadata: forged,
      })
      await send(`/store/carts/${cart.id}/shipping-methods`, { option_id: shipping })
      const { payment_collection } = await send('/store/payment-collections', { cart_id: cart.id })
      const started = await send(`/store/payment-collections/${payment_collection.id}/payment-sessions`, {
        provider_id: 'pp_paywindow_paywindow',
      })
      const [session] = started.payment_collection.payment_sessions
      const { order } = await send(`/store/carts/${cart.id}/complete`)
      return { id: order.id, order: session.id, link: session.data.url }
    },

    look: async ({ id }) => {
      const { status, payment_status, payment_collections } = await lookUp(id)
      const isNamed = Boolean(payment_collections[0]?.payments?.[0]?.data.checkout)
      const kept = (await stockKept()) > keptBefore ? 'yes' : 'no'
      return [status, payment_status, isNamed ? 'the checkout’s id' : 'none', kept]
    },

    notes: async ({ id }) => (await lookUp(id)).metadata?.paywindow?.notes ?? [],

    logs: async (pattern) => {
      if (!server) throw new Error('the shop has not started')
      await said(server, pattern)
    },

    stateFor: async (id) => {
      const path = `/store/orders/${id}?fields=status,payment_status`
      const { order } = await ask('GET', path, undefined, { 'x-publishable-api-key': goods?.key ?? '' })
      return `${order.status}: ${order.payment_status}`
    },

    payOtherwise: async ({ id }) => {
      const values = `('ordtrx_other', $1, 1, 10, '{"value": "10", "precision": 20}', 'usd', 'capture')`
      const columns = 'id, order_id, version, amount, raw_amount, currency_code, reference'
      await database.query(`INSERT INTO order_transaction (${columns}) VALUES ${values}`, [id])
    },

    pack: async ({ id }) => {
      const { order } = await ask('GET', `/admin/orders/${id}?fields=items.id`, undefined, asAdmin)
      const items = [{ id: order.items[0].id, quantity: 1 }]
      await ask('POST', `/admin/orders/${id}/fulfillments`, { items }, asAdmin)
    },

    forget: async ({ order }) => {
      await database.query('DELETE FROM payment_session WHERE id = $1', [order])
    },

    holdUp: ({ id, order }, place) => holdUpRow(database, place, 'id', place === 'order' ? id : order),
  }
}

interface Goods {
  readonly key: string
  readonly region: string
  readonly variant: string
  readonly shipping: string
}

type Answer = ReturnType<ReturnType<typeof askerOf>>

/** One book, by the API of the Admin. */
async function putOnSale(send: (path: string, body: object) => Answer, get: (path: string) => Answer): Promise<Goods> {
  const [channel] = (await get('/admin/sales-channels')).sales_channels
  const [profile] = (await get('/admin/shipping-profiles')).shipping_profiles
  const { region } = await send('/admin/regions', {
    name: 'Europe',
    currency_code: 'usd',
    countries: ['nl'],
    payment_providers: ['pp_paywindow_paywindow'],
  })
  // Medusa's total is 49.9004.
  const tax = { name: 'VAT', code: 'vat', rate: 21 }
  await send('/admin/tax-regions', { country_code: 'nl', provider_id: 'tp_system', default_tax_rate: tax })
  const { stock_location: place } = await send('/admin/stock-locations', { name: 'The shop' })
  const at = `/admin/stock-locations/${place.id}`
  await send(`${at}/sales-channels`, { add: [channel.id] })
  await send(`${at}/fulfillment-providers`, { add: ['manual_manual'] })
  await send(`${at}/fulfillment-sets`, { name: 'Post', type: 'shipping' })
  const { fulfillment_sets } = (await get(`${at}?fields=*fulfillment_sets`)).stock_location
  const { fulfillment_set } = await send(`/admin/fulfillment-sets/${fulfillment_sets[0].id}/service-zones`, {
    name: 'Europe',
    geo_zones: [{ type: 'country', country_code: 'nl' }],
  })
  const { shipping_option } = await send('/admin/shipping-options', {
    name: 'By post',
    service_zone_id: fulfillment_set.service_zones[0].id,
    shipping_profile_id: profile.id,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Post', description: 'Post', code: 'post' },
    prices: [{ currency_code: 'usd', amount: 4.05 }],
    rules: [],
  })
  const { product } = await send('/admin/products', {
    title: 'A lantern',
    status: 'published',
    shipping_profile_id: profile.id,
    options: [{ title: 'Kind', values: ['Paper'] }],
    variants: [
      {
        title: 'Paper',
        options: { Kind: 'Paper' },
        prices: [{ currency_code: 'usd', amount: 37.19 }],
        manage_inventory: true,
      },
    ],
    sales_channels: [{ id: channel.id }],
  })
  const [item] = (await get('/admin/inventory-items')).inventory_items
  await send(`/admin/inventory-items/${item.id}/location-levels`, { location_id: place.id, stocked_quantity: 100 })
  const { api_key } = await send('/admin/api-keys', { title: 'Storefront', type: 'publishable' })
  await send(`/admin/api-keys/${api_key.id}/sales-channels`, { add: [channel.id] })
  return { key: api_key.token, region: region.id, variant: product.variants[0].id, shipping: shipping_option.id }
}

/** @throws Error with what the API refuses. */
function askerOf(base: string) {
  return async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}
