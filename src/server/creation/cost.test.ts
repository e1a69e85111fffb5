/** The calls and requests of creations, at any rate. */
import { expect, it } from 'vitest'
import { seededRandom } from '../../sandbox/index.ts'
import { storeAround } from '../../testing/store-around.testing.ts'
import { mute } from '../following/binding.testing.ts'
import { createTestShop, requestOf, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

const carts = 24
/** By this time after the last creation, each order was listed for a minute, and searched since. */
const afterMs = 90_000

/** The cost of one creation with all its searches, without that of an idle watcher. */
async function costAt(perSecond: number, sandbox: object, isOnePrice: boolean, seed: number) {
  const random = seededRandom(seed)
  let calls = 0
  let requests = 0
  const memory = createMemoryStore(() => shop.clock.now())
  const shop: TestShop = createTestShop({
    store: storeAround(memory, (_, call) => {
      calls++
      return call()
    }),
    creationsPerClient: carts,
    randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
    sandbox: {
      ...sandbox,
      faults: () => {
        requests++
        return { kind: 'latency', beforeMs: 50 }
      },
    },
  })
  const open = async (at: number) => {
    await shop.clock.sleep((at * 1_000) / perSecond)
    shop.sells({ price: { asset: 'USD', amount: isOnePrice ? '49.90' : `${at + 10}` } })
    const request = requestOf('POST', '/checkouts', { body: { reference: `cart ${at}` } })
    expect((await shop.paywindow.fetch(request)).status).toBe(200)
  }
  const watching = shop.paywindow.watch()
  await shop.pass(afterMs)
  const idle = calls / afterMs
  calls = 0
  const beganAtMs = shop.clock.now()
  await shop.run(Promise.all(Array.from({ length: carts }, (_, at) => open(at))))
  await shop.pass(afterMs)
  const ofIdle = idle * (shop.clock.now() - beganAtMs)
  await shop.run(watching.stop())
  return { calls: (calls - ofIdle) / carts, requests: requests / carts }
}

/** The cost of three runs, which differ because ids spread the searches in time. */
async function costOfRuns(perSecond: number, sandbox: object, isOnePrice: boolean) {
  const sum = { calls: 0, requests: 0 }
  for (const seed of [1, 2, 3]) {
    const { calls, requests } = await costAt(perSecond, sandbox, isOnePrice, seed)
    sum.calls += calls
    sum.requests += requests
  }
  return sum
}

it.each([
  ['of one price, without proof', mute, true],
  ['of different prices, without proof', mute, false],
  ['of one price, with proof by time', { dateTime: 'created' }, true],
  ['of different prices, with proof by time', { dateTime: 'created' }, false],
])('creations %s cost no more when there are more of them', { timeout: 120_000 }, async (_, sandbox, isOnePrice) => {
  const seldom = await costOfRuns(1, sandbox, isOnePrice)
  const often = await costOfRuns(20, sandbox, isOnePrice)
  expect(often.calls).toBeLessThanOrEqual(seldom.calls)
  expect(often.requests).toBeLessThanOrEqual(seldom.requests)
})
