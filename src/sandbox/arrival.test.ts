import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../service/client.ts'
import { createSandbox, sandboxArrival } from './index.ts'

const request = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', sourceAmount: '0.01' }

describe('what the sandbox says of money that arrived', () => {
  it.each([
    ['nothing', [], null],
    ['all of it', ['0.01'], { kind: 'exact' }],
    ['less', ['0.004'], { kind: 'short', received: btc('0.004') }],
    ['the rest, too', ['0.004', '0.006'], { kind: 'exact' }],
    ['more', ['0.013'], { kind: 'over', received: btc('0.013'), returned: btc('0.003') }],
  ])('%s', async (_, amounts, arrival) => {
    const { details, pay } = setUp()
    for (const amount of amounts) pay({ amount })
    expect(sandboxArrival(await details())).toEqual(arrival)
  })

  it('another coin, and that it was returned', async () => {
    const { details, pay, sandbox, id } = setUp()
    pay({ amount: '1', asset: 'LTC', network: 'litecoin' })
    expect(sandboxArrival(await details())).toEqual({ kind: 'other' })
    sandbox.payer.completeRefund(id)
    expect(sandboxArrival(await details())).toEqual({ kind: 'returning' })
  })

  it('late, and nothing in the list', async () => {
    let nowMs = 0
    const { details, pay, client } = setUp(() => nowMs)
    nowMs = 1_200_000
    pay({ amount: '0.01' })
    expect(sandboxArrival(await details())).toEqual({ kind: 'late' })
    const [listed] = (await client.listOrders({ page: 1, size: 1 })).orders
    expect(listed && sandboxArrival(listed)).toBeNull()
  })
})

function setUp(now: () => number = () => 0) {
  const sandbox = createSandbox({ now })
  const { id, address } = sandbox.addOrder(request)
  const client = createServiceClient(sandbox.access)
  const pay = (deposit: { amount: string; asset?: string; network?: string }) =>
    sandbox.payer.deposit({ address: address ?? '', ...deposit })
  return { sandbox, id, client, details: () => client.orderDetails(id), pay }
}

function btc(amount: string) {
  return { asset: 'BTC', amount }
}
