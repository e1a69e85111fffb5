/** The server of the README, taken from its text and run. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import type { PaywindowOptions } from './options.ts'
import { createPaywindow, type PaywindowServer } from './paywindow.ts'
import { requestOf } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const [, recipe = ''] = /## The server\n[^#]*?```js\nimport [^\n]+\n([\s\S]+?)```/.exec(readme) ?? []
const printed = vi.spyOn(console, 'error')

afterEach(() => {
  printed.mockReset()
  vi.unstubAllEnvs()
})

/** Runs the recipe with the shop's own parts, and opens `cart-42`. */
async function run(forSession: () => Promise<unknown>) {
  const sandbox = createSandbox()
  let server: PaywindowServer | undefined
  const given = {
    createPaywindow: (options: PaywindowOptions) => {
      const service = { ...options.service, fetch: sandbox.fetch }
      server = createPaywindow({ ...options, service, store: createMemoryStore() })
      return server
    },
    toNodeListener: () => undefined,
    orders: { forSession },
    fulfil: async () => undefined,
    app: { use: () => undefined },
    express: { static: () => undefined },
  }
  vi.stubEnv('PAYWINDOW_SERVICE_URL', sandbox.access.baseUrl)
  vi.stubEnv('PAYWINDOW_ACCESS_TOKEN', sandbox.access.accessToken)
  vi.stubEnv('PAYWINDOW_SUB_ACCOUNT_ID', sandbox.access.subAccountId)
  const start = new Function(...Object.keys(given), `return (async () => {${recipe}})()`)
  await start(...Object.values(given))
  const body = { reference: 'cart-42', asset: 'XRP', network: 'ripple' }
  const answer = await server?.fetch(requestOf('POST', '/checkouts', { body }))
  await server?.close()
  return { answer: await answer?.json(), orders: sandbox.orders() }
}

it('makes an order with the sandbox in test mode', async () => {
  vi.stubEnv('PAYWINDOW_TEST', 'yes')
  const { answer, orders } = await run(async () => ({ total: '49.90', number: 42 }))
  expect(answer).toMatchObject({ price: { asset: 'USD', amount: '49.9' }, address: orders[0]?.address, test: true })
})

it('says why the shop’s own code failed', async () => {
  printed.mockReturnValue()
  await run(async () => {
    throw new RangeError('the database of carts is away')
  })
  expect(printed.mock.calls).toEqual([
    [
      expect.stringContaining('offer threw RangeError'),
      expect.objectContaining({ message: 'the database of carts is away' }),
    ],
  ])
})
