/**
 * A run of the real server that leaves a record of each kind, the same ones each time. For tests
 * and `scripts/released-records.ts` only.
 */
import type { JsonRecord } from '../../contract/parse.ts'
import { seededRandom } from '../../sandbox/index.ts'
import { storeNoting } from '../../testing/store-around.testing.ts'
import { pay } from '../following/binding.testing.ts'
import { bitcoin, createTestShop, type TestShop, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord, Store } from '../store/store.ts'

const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/** The present behaviour of the service and the merchant. */
interface Doing {
  /** It does not show new orders. */
  isHiding: boolean
  /** It names the order in its answer to the creation. */
  isNaming: boolean
  /** It loses its next answer to a creation. */
  isLosing: boolean
  /** The merchant's callback fails. */
  isFailing: boolean
}

/** The records of this version, by file names. */
export async function writtenRecords(): Promise<ReadonlyMap<string, NewRecord>> {
  const { store, record } = remembering(createMemoryStore())
  const doing: Doing = { isHiding: false, isNaming: false, isLosing: false, isFailing: false }
  const shop = openShop(store, doing)
  const archived = await sellAndArchive(shop)
  const paid = await sell(shop, 'paid')
  const renewed = await renew(shop)
  Object.assign(doing, { isFailing: true })
  const untold = await sell(shop, 'untold')
  const open = await openCart(shop, 'open', xrp)
  Object.assign(doing, { isLosing: true })
  const lost = await openCart(shop, 'lost')
  Object.assign(doing, { isHiding: true })
  const unbound = await openCart(shop, 'unbound')
  Object.assign(doing, { isNaming: true })
  const provisional = await openCart(shop, 'provisional')
  await shop.run(shop.paywindow.watchOnce())
  const checkouts = { archived, paid, renewed, untold, open, lost, unbound, provisional }
  const bound = await shop.paywindow.checkouts.get(paid.id)
  return new Map([
    ...Object.entries(checkouts).map(([name, { id }]) => [`checkout-${name}`, record(`checkout ${id}`)] as const),
    ['cart', record('cart paid')],
    ['cart-renewed', record('cart renewed')],
    ['order', record(`order ${bound?.order?.id}`)],
    ['servers', record('servers')],
  ])
}

function openShop(store: Store, doing: Doing): TestShop {
  const random = seededRandom(7)
  const shop: TestShop = createTestShop({
    store,
    randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
    onStatusChange: () => {
      if (doing.isFailing) throw new Error('The shop is closed')
    },
    sandbox: {
      appearAfterMs: () => (doing.isHiding ? dayMs : 0),
      faults: ({ method }) => {
        if (method !== 'POST' || !doing.isLosing) return undefined
        doing.isLosing = false
        return { kind: 'reset', workDone: true }
      },
    },
    changeAnswer: (json) => (doing.isNaming && json.created_at === undefined ? named(shop, json) : json),
  })
  shop.sells({ methods: [bitcoin, xrp] })
  return shop
}

function named(shop: TestShop, json: JsonRecord): JsonRecord {
  return { ...json, id: shop.sandbox.orders().find(({ address }) => address === json.wallet_address)?.id }
}

function openCart(shop: TestShop, reference: string, { asset, network } = bitcoin) {
  return shop.open({ reference, asset, network })
}

async function sell(shop: TestShop, reference: string) {
  const checkout = await openCart(shop, reference)
  await shop.send('POST', `/checkouts/${checkout.id}/handover`, { body: {}, key: checkout.key })
  await shop.pass(10_000)
  pay(shop, checkout.address, checkout.amount)
  await shop.run(shop.paywindow.watchOnce())
  return checkout
}

async function sellAndArchive(shop: TestShop) {
  const checkout = await sell(shop, 'archived')
  for (let day = 0; day < 32; day++) {
    await shop.pass(dayMs)
    await shop.run(shop.paywindow.watchOnce())
  }
  return checkout
}

async function renew(shop: TestShop) {
  const checkout = await openCart(shop, 'renewed')
  await shop.pass(21 * minuteMs)
  await shop.send('POST', `/checkouts/${checkout.id}/renew`, { body: {}, key: checkout.key })
  return checkout
}

/** The store, and what was written to it last, with the labels that are not read back. */
function remembering(store: Store): { store: Store; record: (key: string) => NewRecord } {
  const written = new Map<string, NewRecord>()
  const keep = (record: NewRecord) => written.set(record.key, record)
  return {
    store: {
      ...storeNoting(store, keep),
      reschedule: async (reschedulings) => {
        const done = await store.reschedule(reschedulings)
        for (const { key, due } of reschedulings) {
          const record = written.get(key)
          if (record && done.has(key)) keep({ ...record, due })
        }
        return done
      },
    },
    record: (key) => {
      const record = written.get(key)
      if (!record) throw new Error(`Nothing was written to ${key}`)
      return record
    },
  }
}
