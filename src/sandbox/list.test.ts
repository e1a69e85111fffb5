import { describe, expect, it } from 'vitest'
import type { SandboxOptions } from './options.ts'
import { setUp } from './requests.testing.ts'

/** Five orders, A to E, one a second. B is canceled, and D has an e-mail address. */
function withOrders(options: SandboxOptions = {}) {
  const { sandbox, ask } = setUp(options)
  for (const description of ['A', 'B', 'C', 'D', 'E']) {
    const recipientEmail = description === 'D' ? 'Dora@shop.example' : ''
    const source = { sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '10' }
    const order = sandbox.addOrder({ ...source, description, recipientEmail })
    if (description === 'B') sandbox.payer.cancel(order.id)
    sandbox.clock.advance(1000)
  }
  const list = async (query: string) => {
    const { status, json } = await ask(`/v1/order?${query}`)
    const orders: { description: string }[] = json.orders ?? []
    return { status, json, names: orders.map(({ description }) => description).join('') }
  }
  return { sandbox, list }
}

describe('the order list', () => {
  it.each([
    ['page=1&size=10', 'EDCBA'],
    ['page=1&size=10&order_by=created_at', 'EDCBA'],
    ['page=1&size=10&order_by=description', 'EDCBA'],
    ['page=1&size=10&order_by=recipient_email', 'DECBA'],
    ['page=1&size=10&order_by=status', 'EDCAB'],
    ['page=1&size=10&status=canceled', 'B'],
    ['page=1&size=10&status=confirmed', ''],
    ['page=1&size=10&search=dora', 'D'],
    ['page=1&size=10&search=c', 'C'],
    ['page=2&size=2', 'CB'],
    ['page=3&size=2', 'A'],
    ['page=4&size=2', ''],
    ['page=0&size=2', 'ED'],
  ])('for %s is %j', async (query, names) => {
    expect((await withOrders().list(query)).names).toBe(names)
  })

  it.each([
    ['works', 1, 'B'],
    ['ignored', 1, 'ED'],
    ['after-paging', 1, ''],
    ['after-paging', 2, 'B'],
  ] as const)('with a status filter of the kind %s, page %j shows %j', async (statusFilter, page, names) => {
    const { list } = withOrders({ statusFilter })
    expect((await list(`page=${page}&size=2&status=canceled`)).names).toBe(names)
  })

  it('can refuse the status filter, and nothing else', async () => {
    const { list } = withOrders({ statusFilter: 'refused' })
    expect((await list('page=1&size=2&status=canceled')).status).toBe(400)
    expect((await list('page=1&size=2')).status).toBe(200)
  })

  it('can be ascending', async () => {
    expect((await withOrders({ direction: 'ascending' }).list('page=1&size=3')).names).toBe('ABC')
  })

  it('can begin with page 0', async () => {
    const { list } = withOrders({ firstPage: 0 })
    expect((await list('page=0&size=2')).names).toBe('ED')
    expect((await list('page=1&size=2')).names).toBe('CB')
  })

  it('can refuse a page below the first', async () => {
    expect((await withOrders({ pageBelowFirst: 'refused' }).list('page=0&size=2')).status).toBe(400)
  })

  it('reduces a size that is too large, and says so', async () => {
    const { names, json } = await withOrders({ maxPageSize: 3 }).list('page=1&size=50')
    expect(names).toBe('EDC')
    expect(json).toMatchObject({ page: 1, size: 3, total_pages: 2, message: '' })
  })

  it.each([
    'size=10',
    'page=1',
    'page=1&size=0',
    'page=x&size=10',
    'page=-1&size=10',
    'page=1.5&size=10',
    'page=1&size=10&status=paid',
    'page=1&size=10&order_by=amount',
  ])('is refused for %s', async (query) => {
    expect((await withOrders().list(query)).status).toBe(400)
  })

  it('shows nothing of another sub-account', async () => {
    const { sandbox, list } = withOrders({ subAccountIds: ['one', 'two'] })
    sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '1', subAccountId: 'two' })
    expect((await list('page=1&size=10')).names).toBe('EDCBA')
  })

  it('can have the deposit instructions', async () => {
    const { json } = await withOrders({ listInstructions: true }).list('page=1&size=1')
    expect(json.orders[0]).toMatchObject({ wallet_address: expect.stringMatching(/^tb1q/), network: 'bitcoin' })
  })
})
