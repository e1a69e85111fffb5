import { describe, expect, it } from 'vitest'
import { allNetworks, knownNetwork } from '../../../contract/networks/table.ts'
import { bitcoin, createTestShop } from '../../shop.testing.ts'
import { coinIcon, drawCoin, networkFields } from './coin-icons.ts'
import { logos } from './logos.ts'

const names = Object.keys(logos)
const networksWithIcon = allNetworks().filter(({ kind }) => networkFields(kind).networkInfo?.icon)

describe('the icon of a coin', () => {
  it.each(names)('%s is a drawing without scripts or external resources', async (name) => {
    const answer = drawCoin(`coin-${name}`)
    expect(answer?.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer?.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(await answer?.text()).toMatch(
      /^<svg xmlns="[\w:/.]+" viewBox="[\d -]+"><circle cx="12" cy="12" r="15" fill="#[\da-f]{6}"\/><g fill="#fff">(?:<path(?: fill-rule="evenodd")? d="[Mm][\d\s.,a-zA-Z-]+"\/>)+<\/g><\/svg>$/,
    )
  })

  it('is found only by the symbol, in upper or lower case', () => {
    expect([coinIcon('BTC'), coinIcon('usdt'), coinIcon('NEW'), coinIcon('constructor')]).toEqual([
      'icons/coin-btc',
      'icons/coin-usdt',
      undefined,
      undefined,
    ])
    for (const name of ['btc', 'coin-', 'coin-constructor', 'coin-../btc', 'xcoin-btc'])
      expect(drawCoin(name)).toBeUndefined()
  })

  it('exists for every network that has one, and shows its own coin', () => {
    expect(networksWithIcon.length).toBeGreaterThan(30)
    for (const { kind } of networksWithIcon)
      expect(drawCoin(networkFields(kind).networkInfo?.icon?.replace('icons/', '') ?? '')).toBeDefined()
    for (const [symbol, network] of [
      ['BTC', 'bitcoin'],
      ['ETH', 'erc-20'],
      ['XRP', 'ripple'],
      ['TON', 'ton'],
      ['SOL', 'solana'],
    ] as const)
      expect(networkFields(network).networkInfo?.icon).toBe(coinIcon(symbol))
    expect(networkFields('base').networkInfo?.icon).not.toBe(coinIcon('ETH'))
    expect(networkFields('a-new-chain')).toEqual({})
    expect(knownNetwork('base')?.kind).toBe('base')
  })

  it('comes with the offer and the checkout, unless the merchant has an icon of its own', async () => {
    const shop = createTestShop()
    expect((await shop.readOffer()).methods[0]?.icon).toBe('icons/coin-btc')
    expect((await shop.open()).asset.icon).toBe('icons/coin-btc')
    expect((await shop.open()).networkInfo?.icon).toBe('icons/coin-btc')
    const icon = await shop.run(shop.paywindow.fetch(new Request('https://shop.example/paywindow/icons/coin-btc')))
    expect(icon.status).toBe(200)
    const own = createTestShop()
    own.sells({ methods: [{ ...bitcoin, icon: 'https://cdn.example/btc.png' }] })
    expect((await own.readOffer()).methods[0]?.icon).toMatch(/^icons\/[0-9a-f]{24}-/)
    const { id, asset } = await own.open()
    expect(asset.icon).toBe(`icons/${id}`)
  })
})
