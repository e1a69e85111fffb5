/** The operator's commands on a Postgres, whose driver they find in the folder where they run. */
import { expect, it } from 'vitest'
import { createCommandShop } from '../../src/cli/shop.testing.ts'
import { setUp } from '../../src/cli/world.testing.ts'
import type { PaywindowOptions } from '../../src/server/options.ts'
import { newestVersion } from '../../src/server/store/postgres-schema.ts'
import { describePostgres, storeOn } from './postgres-server.ts'

const folder = import.meta.dirname
const onShop = ['--postgres', '--schema', 'shop'] as const

/** A shop with tables of its own, a checkout, and the order to which it is to be bound. */
async function openShop(pool: Parameters<typeof storeOn>[0], options: Partial<PaywindowOptions> = {}) {
  const shop = createCommandShop(storeOn(pool, 'shop'), folder, options)
  const id = await shop.open('cart-1')
  const [order] = shop.sandbox.orders()
  if (!order) throw new Error('The sandbox has no order')
  const deposit = () => shop.sandbox.payer.deposit({ address: order.address ?? '', amount: order.sourceAmount ?? '' })
  return { ...shop, id, order, deposit, bind: () => shop.paywindow.bind(id, order.id) }
}

describePostgres('checkout', (postgres) => {
  it('reads the schema that is named', async () => {
    const { id, paywindow } = await openShop(postgres().openPool())
    await paywindow.close()
    const { stdout } = await setUp().command(
      ['checkout', id, ...onShop],
      { DATABASE_URL: postgres().url },
      undefined,
      folder,
    )
    expect(stdout).toMatch(/^Reference: +cart-1$/m)
  })
})

describePostgres('doctor', (postgres) => {
  it('makes no tables, and reads those that are there', async () => {
    const shop = await openShop(postgres().openPool())
    const doctor = (schema: string, url = postgres().url) => {
      const environment = { PAYWINDOW_SERVICE_URL: 'http://127.0.0.1:4300', DATABASE_URL: url }
      return shop.runWith(environment, 'doctor', '--postgres', '--schema', schema)
    }
    expect((await doctor('shop')).stdout).toContain(
      `✓ Store: schema shop of the Postgres opens and has version ${newestVersion}, the newest`,
    )
    const { stdout } = await doctor('none')
    expect(stdout).toContain('✗ Store: schema none of the Postgres has no tables yet')
    const { rows } = await postgres().openPool().query(`SELECT to_regnamespace('none') AS found`)
    expect(rows).toEqual([{ found: null }])
    const refused = await doctor('shop', postgres().url.replace(/:[^:@]+@/, ':secret-word@'))
    expect(refused.stdout).toContain('✗ Store: The database refused')
    expect(refused.stdout + refused.stderr).not.toContain('secret-word')
    await shop.paywindow.close()
  })
})

describePostgres('reconcile', (postgres) => {
  it('compares the same as with a file', async () => {
    const { bind, deposit, runWith, paywindow } = await openShop(postgres().openPool())
    await bind()
    deposit()
    const { stdout } = await runWith({ DATABASE_URL: postgres().url }, 'reconcile', ...onShop, '--json')
    expect(JSON.parse(stdout).differences).toEqual([expect.objectContaining({ kind: 'status' })])
    await paywindow.close()
  })
})

describePostgres('retell', (postgres) => {
  it('has the server call again, with the same eventId', async () => {
    const told: string[] = []
    const { sandbox, id, order, bind, deposit, runWith, paywindow } = await openShop(postgres().openPool(), {
      onStatusChange: ({ eventId }) => void told.push(eventId),
    })
    deposit()
    sandbox.payer.confirm(order.id)
    await bind()
    await paywindow.settled()
    expect(told).toHaveLength(1)
    const { code } = await runWith({ DATABASE_URL: postgres().url }, 'retell', id, ...onShop)
    expect(code).toBe(0)
    await paywindow.watchOnce()
    expect(told).toEqual([told[0], told[0]])
    await paywindow.close()
  })
})

describePostgres('the commands for checkouts', (postgres) => {
  it('leave older tables as they are', async () => {
    const pool = postgres().openPool()
    const on = (...line: string[]) => setUp().command(line, { DATABASE_URL: postgres().url }, undefined, folder)
    const checkouts = () => on('checkouts', ...onShop)
    expect((await checkouts()).stderr).toContain(
      'has no tables yet: start your server once, or run npx paywindow migrate',
    )
    await storeOn(pool, 'shop').read('a')
    await pool.query('UPDATE shop.paywindow_versions SET version = 1')
    expect(await checkouts()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'start with this version, or npx paywindow migrate --schema shop does; until then',
      ),
    })
    expect((await pool.query('SELECT version FROM shop.paywindow_versions')).rows).toEqual([{ version: 1 }])
    await pool.query('UPDATE shop.paywindow_versions SET version = 2')
    expect((await checkouts()).stdout).toBe('No checkouts.\n')
  })
})
