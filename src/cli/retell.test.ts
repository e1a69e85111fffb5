import { beforeEach, describe, expect, it } from 'vitest'
import { order, pay } from '../server/shop.testing.ts'
import type { Store } from '../server/store/store.ts'
import { createCommandShop, createStoreIn } from './shop.testing.ts'
import { makeFolder } from './world.testing.ts'

describe('paywindow retell', () => {
  let folder: string
  beforeEach(() => {
    folder = makeFolder()
  })

  /** A shop with a paid checkout that was delivered, and a checkout that waits for its deposit. */
  async function shopWith(store: Store) {
    const told: string[] = []
    const shop = createCommandShop(store, folder, { onStatusChange: ({ eventId }) => void told.push(eventId) })
    const paid = await shop.open('cart-1')
    const waiting = await shop.open('cart-2')
    pay(shop)
    await shop.paywindow.bind(paid, order(shop).id)
    await shop.paywindow.settled()
    return { ...shop, paid, waiting, told }
  }
  const sqlite = () => createStoreIn(folder)

  it('makes the server call again, with the same eventId', async () => {
    const { paywindow, paid, told, run } = await shopWith(sqlite())
    expect(told).toHaveLength(1)
    expect(await run('retell', paid)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Checkout ${paid}, which is confirmed, is to be delivered again.`),
      stderr: '',
    })
    expect(told).toHaveLength(1)
    await paywindow.watchOnce()
    expect(told).toEqual([told[0], told[0]])
    await paywindow.close()
  })

  it('retells all checkouts that have changed since a time', async () => {
    const { paywindow, paid, told, run } = await shopWith(sqlite())
    const { code, stdout } = await run('retell', '--since', '1h')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${paid} confirmed\n1 checkout is to be delivered again`))
    await paywindow.watchOnce()
    expect(told).toEqual([told[0], told[0]])
    expect((await run('retell', '--since', '0m')).stdout).toMatch(/^0 checkouts are/)
    await paywindow.close()
  })

  it('retells an old checkout whose money has come or gone back since, with the same status', async () => {
    const store = sqlite()
    const { paywindow, paid, told, run } = await shopWith(store)
    const found = await store.read(`checkout ${paid}`)
    if (!found) throw new Error('the store has no such checkout')
    const record = JSON.parse(found.value)
    const history = record.history.map((entry: object) => ({ ...entry, at: '2026-01-01T00:00:00.000Z' }))
    const value = JSON.stringify({ ...record, history })
    expect(await store.replace({ key: found.key, value, labels: ['all'], due: [] }, found.version)).toBe(true)
    expect((await run('retell', '--since', '1h')).stdout).toMatch(new RegExp(`^${paid} confirmed\n1 checkout is`))
    await paywindow.watchOnce()
    expect(told).toEqual([told[0], told[0]])
    await paywindow.close()
  })

  it('says what is wrong', async () => {
    const { paywindow, waiting, paid, run } = await shopWith(sqlite())
    expect(await run('retell', waiting)).toMatchObject({
      stderr: expect.stringContaining('there is nothing to deliver'),
    })
    expect((await run('retell')).code).toBe(2)
    expect((await run('retell', paid, '--since', '1h')).code).toBe(2)
    await paywindow.close()
  })
})
