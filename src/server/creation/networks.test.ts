/** Networks on their way from the service to a browser. */
import { describe, expect, it } from 'vitest'
import { sandboxAssets } from '../../sandbox/assets.ts'
import { createTestShop } from '../shop.testing.ts'

const methods = sandboxAssets.flatMap(({ symbol, network, name }) =>
  network === null ? [] : [{ asset: symbol, network, name }],
)

describe('a network', () => {
  it.each(methods.map((method) => [`${method.asset} on ${method.network}`, method] as const))(
    'is paid on: %s',
    async (_, method) => {
      const shop = createTestShop()
      shop.sells({ methods: [method] })
      const checkout = await shop.open()
      expect(checkout).toMatchObject({ network: method.network, asset: { symbol: method.asset }, phase: 'waiting' })
      expect(checkout.networkInfo?.needsTag).toBe(checkout.tag !== null)
    },
  )

  it('keeps the service’s name, and comes with the one for people where it is known', async () => {
    const shop = createTestShop()
    const unknown = { asset: 'NEW', network: 'New Chain', name: 'New' }
    shop.sells({ methods: [{ asset: 'AVAX', network: 'avax-c', name: 'Avalanche' }, unknown] })
    const [avalanche, other] = (await shop.readOffer()).methods
    expect(avalanche).toMatchObject({ network: 'avax-c', networkInfo: { name: 'Avalanche C-Chain', needsTag: false } })
    expect(other).toEqual(unknown)
    const checkout = await shop.open({ reference: 'cart-42', asset: 'avax', network: 'AVAX C-Chain' })
    expect(checkout).toMatchObject({ network: 'avax-c', networkInfo: { kind: 'avalanche-c' } })
  })
})
