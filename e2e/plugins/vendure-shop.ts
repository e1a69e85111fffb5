/** A Vendure shop for tests: its process, its database, and its own API. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { startPostgres } from '../stores/postgres-server.ts'
import { holdUpRow, type NodeShop, type Platform } from './node-shops.ts'
import { compile, end, said } from './program.ts'
import type { Bought } from './storefront.ts'

export const vendure: Platform = {
  name: 'Vendure',
  price: { asset: 'USD', amount: '49.90' },
  settled: ['PaymentSettled', 'Settled'],
  waiting: ['PaymentAuthorized', 'Authorized'],
  places: ['order'],
  configured: join(import.meta.dirname, 'vendure-server.ts'),
  open,
}

const book = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
A lantern,a-lantern,,,,,,L-1,45.00,Standard,100,true,,
`

async function open(settings: Parameters<Platform['open']>[0], storefront: string): Promise<NodeShop> {
  compile('vendure')
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-vendure-'))
  const products = join(folder, 'products.csv')
  writeFileSync(products, book)
  const postgres = await startPostgres()
  const database = postgres.openPool()
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: `${port}`,
    DATABASE_URL: postgres.url,
    PRODUCTS: products,
    STOREFRONT_URL: storefront,
    PAYWINDOW_SERVER_URL: settings.page.replace(/\/pay$/, ''),
    PAYWINDOW_BOOKS_API_SECRET: settings.apiSecret,
    PAYWINDOW_BOOKS_EVENTS_SECRET: settings.eventsSecret,
    PAYWINDOW_TEST: 'yes',
  }
  let server: ChildProcess | undefined
  const run = async (...args: readonly string[]) => {
    const program = join(import.meta.dirname, 'vendure-server.ts')
    server = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    await said(server, /^(?:serves|filled)$/m)
    return server
  }
  const filled = await run('fill')
  if (filled.exitCode === null) await once(filled, 'exit')

  const base = `http://127.0.0.1:${port}`
  const shopApi = (token = '') => askerOf(`${base}/shop-api`, token)
  const adminApi = async () => {
    const { ask, token } = askerOf(`${base}/admin-api`, '')
    await ask('mutation { login(username: "superadmin", password: "superadmin") { __typename } }')
    return askerOf(`${base}/admin-api`, token()).ask
  }
  /** Of each order, who may see it. */
  const guests = new Map<string, string>()
  let stockBefore = 0

  async function lookUp(bought: Pick<Bought, 'id'>) {
    const ask = await adminApi()
    const { orders } = await ask(
      `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items {
        state payments { state transactionId }
        history(options: { sort: { createdAt: ASC }, filter: { type: { eq: "ORDER_NOTE" } } }) { items { data } }
      } } }`,
      { code: bought.id },
    )
    return orders.items[0]
  }

  async function stockKept(): Promise<number> {
    const ask = await adminApi()
    const { productVariants } = await ask('{ productVariants { items { stockLevels { stockAllocated } } } }')
    return productVariants.items[0].stockLevels[0].stockAllocated
  }

  const look = async (bought: Pick<Bought, 'id'>) => {
    const { state, payments } = await lookUp(bought)
    const [payment] = payments
    const kept = (await stockKept()) > stockBefore ? 'yes' : 'no'
    return [state, payment.state, payment.transactionId ? 'the checkout’s id' : 'none', kept]
  }

  /** Buys a book. Resolves with the order, its payments, and who may see it. */
  async function place() {
    stockBefore = await stockKept()
    const { ask, token } = shopApi()
    await ask('mutation { addItemToOrder(productVariantId: 1, quantity: 1) { __typename } }')
    await ask(`mutation { setCustomerForOrder(input: { firstName: "A", lastName: "Guest", emailAddress: "guest@shop.example" }) {
      __typename } }`)
    await ask(`mutation { setOrderShippingAddress(input: { streetLine1: "Quay 1", city: "Delft", countryCode: "NL" }) {
      __typename } }`)
    await ask('mutation { setOrderShippingMethod(shippingMethodId: [1]) { __typename } }')
    await ask('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }')
    const { addPaymentToOrder } =
      await ask(`mutation { addPaymentToOrder(input: { method: "paywindow", metadata: {} }) {
      ... on Order { code payments { metadata } } ... on ErrorResult { message } } }`)
    if (addPaymentToOrder.code === undefined) throw new Error(JSON.stringify(addPaymentToOrder))
    return { ...addPaymentToOrder, token: token() }
  }

  return {
    eventsUrl: `${base}/paywindow/events`,
    start: async (test = true) => {
      env.PAYWINDOW_TEST = test ? 'yes' : 'no'
      await run()
    },
    kill: () => end(server, 'SIGKILL'),
    close: async () => {
      await end(server, 'SIGTERM')
      await postgres.stop()
      rmSync(folder, { recursive: true })
    },

    buy: async () => {
      const { code, payments, token } = await place()
      guests.set(code, token)
      const { rows } = await database.query(`SELECT metadata FROM payment ORDER BY id DESC LIMIT 1`)
      const { reference } = JSON.parse(rows[0].metadata).paywindow
      return { id: code, order: reference, link: payments[0].metadata.public.url }
    },

    look,

    share: async ({ id }) => {
      const ask = await adminApi()
      const { createChannel } = await ask(`mutation { createChannel(input: {
        code: "other", token: "other", defaultLanguageCode: en, defaultCurrencyCode: EUR, pricesIncludeTax: false,
        defaultTaxZoneId: 1, defaultShippingZoneId: 1
      }) { ... on Channel { id } ... on ErrorResult { message } } }`)
      const own = 'SELECT id, $2 FROM "order" WHERE code = $1'
      await database.query(`INSERT INTO order_channels_channel ("orderId", "channelId") ${own}`, [id, createChannel.id])
    },

    buyFree: async () => {
      const change = async (price: number, rate: number, was: number) => {
        await database.query('UPDATE product_variant_price SET price = $1', [price])
        await database.query('UPDATE shipping_method SET calculator = replace(calculator, $1, $2)', [
          `"${was}"`,
          `"${rate}"`,
        ])
      }
      await change(0, 0, 490)
      const { code } = await place()
      await change(4_500, 490, 0)
      return look({ id: code })
    },

    notes: async (bought) => {
      const { history } = await lookUp(bought)
      return history.items.map(({ data }: { readonly data: { readonly note: string } }) => data.note)
    },

    logs: async (pattern) => {
      if (!server) throw new Error('the shop has not started')
      await said(server, pattern)
    },

    stateFor: async (id) => {
      const { orderByCode } = await shopApi(guests.get(id)).ask(`{ orderByCode(code: "${id}") { code state } }`)
      return `${orderByCode.code}: ${orderByCode.state}`
    },

    payOtherwise: async ({ id }) => {
      const own = 'SELECT id FROM "order" WHERE code = $1'
      const values = `'other', 1000, 'Settled', '{}', (${own})`
      await database.query(`INSERT INTO payment (method, amount, state, metadata, "orderId") VALUES (${values})`, [id])
    },

    holdUp: ({ id }, place) => holdUpRow(database, place, 'code', id),
  }
}

/** Asks one of the APIs, as whoever has the token. @throws Error with what the API refuses. */
function askerOf(url: string, given: string) {
  let token = given
  const ask = async (query: string, variables = {}) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    token = answer.headers.get('vendure-auth-token') ?? token
    const { data, errors } = await answer.json()
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  return { ask, token: () => token }
}
