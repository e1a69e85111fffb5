/**
 * A shop that has the recipe of docs/fulfilment.md and a database, against the sandbox, in virtual
 * time. For tests only.
 */
import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import { type KeyedCheckout, orderStatuses } from '../../contract/checkout.ts'
import type { PaywindowOptions, StatusEvent } from '../options.ts'
import { bitcoin, createTestShop, xrp } from '../shop.testing.ts'

/** The file that merchants copy. */
export const recipe = new URL('../../../examples/fulfilment/fulfilment.js', import.meta.url)
// Not a source: plain JavaScript, without types.
const { createFulfilment, tables } = await import(recipe.href)

/** A shop that runs the recipe, with order 42 in its database. */
export function createShop(sandbox = {}, phases?: PaywindowOptions['phases'], test = true) {
  const database = new DatabaseSync(':memory:')
  database.exec(tables)
  const addOrder = () =>
    database.prepare('INSERT INTO orders (reference, asset, total) VALUES (?, ?, ?)').run('cart-42', 'USD', '49.90')
  const { onStatusChange, onError, doJobs } = createFulfilment(database, {
    test,
    ...(phases && {
      paidStatuses: orderStatuses.filter((status) => status === 'confirmed' || phases[status] === 'paid'),
    }),
  })
  const told = vi.fn<(event: StatusEvent) => Promise<void>>(onStatusChange)
  const shop = createTestShop({
    sandbox,
    onStatusChange: told,
    ...(phases && { phases }),
    onError: (error, context) => {
      shop.errors.push(error)
      onError(error, context)
    },
  })
  shop.sells({ methods: [bitcoin, xrp] })
  const watching = shop.paywindow.watch()
  const pass = (ms = 20_000) => shop.pass(ms)
  const open = async ({ asset, network } = bitcoin) => {
    const checkout = await shop.open({ reference: 'cart-42', asset, network })
    await shop.settle()
    return checkout
  }
  const deposit = ({ address, tag, amount }: KeyedCheckout) => shop.sandbox.payer.deposit({ address, tag, amount })
  const pay = (checkout: KeyedCheckout) => {
    const result = deposit(checkout)
    if (result.matched) shop.sandbox.payer.confirm(result.order.id)
  }
  const doers = { send: vi.fn(), refund: vi.fn(), tell: vi.fn() }
  return {
    shop,
    told,
    addOrder,
    /** What somebody at the shop does to its database by hand. */
    change: (statements: string) => database.exec(statements),
    open,
    pass,
    deposit,
    /** An open browser polls, so that the server looks sooner than in an hour, and once more. */
    browse: async (checkout: KeyedCheckout) => {
      for (let at = 0; at < 5; at++) {
        await shop.pass(30_000)
        await shop.poll(checkout)
        await shop.settle()
      }
    },
    doers,
    doJobs: () => doJobs(doers),
    pay,
    /** Opens two checkouts of the cart, and pays one after the other. */
    payTwice: async () => {
      const first = await open(bitcoin)
      const second = await open(xrp)
      for (const checkout of [first, second]) {
        pay(checkout)
        await pass()
      }
      return { first, second }
    },
    state: () => {
      const row = database.prepare("SELECT state, checkout FROM orders WHERE reference = 'cart-42'").get()
      return [row?.state, row?.checkout]
    },
    jobs: () =>
      database
        .prepare('SELECT kind, checkout FROM jobs WHERE done = 0 ORDER BY rowid')
        .all()
        .map(({ kind, checkout }) => [kind, checkout]),
    end: () => shop.run(watching.stop()),
  }
}
