/** Networks on their way from the service to a browser. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allNetworks } from '../../contract/networks/table.ts'
import { createAddressBook } from '../../sandbox/addresses.ts'
import { sandboxAssets } from '../../sandbox/assets.ts'
import { seededRandom } from '../../sandbox/random.ts'
import { startMs } from '../records/records.testing.ts'
import { createTestShop } from '../shop.testing.ts'
import { checkInstructions } from './instructions.ts'

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

describe('an amount', () => {
  const book = createAddressBook(seededRandom(5))
  const noAddresses = ['monero', 'filecoin', 'internet-computer', 'kaspa']
  const assets = allNetworks().flatMap(({ kind, decimals }) =>
    noAddresses.includes(kind)
      ? []
      : Object.entries(decimals).map(([asset, count]) => ({ asset, network: kind, name: asset, count })),
  )

  it('has as many decimals as its asset has on that network, and no more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...assets), fc.bigInt({ min: 1n, max: 10n ** 30n }), (method, atomic) => {
        // Written here once more, apart from src/contract/decimal.ts; the last digit is never 0.
        const digits = `${atomic}${(atomic % 9n) + 1n}`.padStart(method.count + 1, '0')
        const written = (places: number) =>
          places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
        const { address, tag } = book.next(method.network)
        const check = (amount: string) =>
          checkInstructions(
            {
              orderId: null,
              amount,
              asset: null,
              dateTime: null,
              deposit: true,
              expTime: '1200',
              message: null,
              network: null,
              tag,
              walletAddress: address,
              timing: { sentAtMs: startMs, answeredAtMs: startMs, serviceDateMs: startMs },
            },
            { method, attemptId: 'attempt', test: true, tagOptionalOn: [] },
          ).amount
        expect(check(written(method.count))).toBe(written(method.count))
        expect(() => check(`0${written(method.count + 1)}`)).toThrow(`more than the ${method.count} decimals`)
      }),
    )
  })
})
