import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allNetworks } from '../../contract/networks/table.ts'
import { createAddressBook } from '../../sandbox/addresses.ts'
import { seededRandom } from '../../sandbox/random.ts'
import type { DepositInstructions } from '../../service/types.ts'
import { bitcoinAddress, startMs } from '../records/records.testing.ts'
import { checkInstructions, type InstructionRules } from './instructions.ts'

const rules: InstructionRules = {
  method: { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
  attemptId: 'attempt',
  test: false,
  tagOptionalOn: [],
}
const xrp: InstructionRules = { ...rules, method: { asset: 'XRP', network: 'ripple', name: 'XRP' } }

/** An asset of which the service says nothing but the symbol. */
const bare = {
  symbol: 'BTC',
  name: null,
  type: null,
  smallImageUrl: null,
  mediumImageUrl: null,
  largeImageUrl: null,
}

function answer(more: Partial<DepositInstructions> = {}): DepositInstructions {
  return {
    orderId: null,
    amount: '0.0015',
    asset: { ...bare, name: 'Bitcoin', type: 'crypto', largeImageUrl: 'https://cdn.example/btc.png?signed=1' },
    dateTime: null,
    deposit: true,
    expTime: '1200',
    message: null,
    network: 'bitcoin',
    tag: null,
    walletAddress: bitcoinAddress,
    timing: { sentAtMs: startMs, answeredAtMs: startMs + 400, serviceDateMs: startMs },
    ...more,
  }
}

const onLedger = (more: Partial<DepositInstructions> = {}) =>
  answer({
    asset: null,
    network: 'ripple',
    walletAddress: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
    amount: '22.841',
    tag: '4087552241',
    ...more,
  })

describe('checkInstructions', () => {
  it('accepts complete instructions, and counts the quote from the time of the request', () => {
    expect(checkInstructions(answer(), rules)).toMatchObject({
      amount: '0.0015',
      address: bitcoinAddress,
      tag: null,
      name: 'Bitcoin',
      iconUrl: 'https://cdn.example/btc.png?signed=1',
      expiresAtMs: startMs + 1_200_000,
    })
  })

  it.each<[string, Partial<DepositInstructions>, RegExp]>([
    ['no amount', { amount: null }, /no amount/],
    ['an amount of 0', { amount: '0.000' }, /amount of 0/],
    ['a negative amount', { amount: '-1' }, /no decimal/],
    ['more decimals than the asset has', { amount: '0.123456789' }, /8 decimals/],
    ['no address', { walletAddress: null }, /no wallet address/],
    ['a damaged address', { walletAddress: bitcoinAddress.replace('q', 'p') }, /does not accept/],
    [
      'an address of another network',
      { walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      /does not accept/,
    ],
    [
      'a test address',
      { walletAddress: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7' },
      /test address/,
    ],
    ['another asset', { asset: { ...bare, symbol: 'LTC' } }, /LTC/],
    ['another network', { network: 'lightning' }, /lightning/],
    ['a tag that hides something', { tag: '1\u202E2' }, /tag/],
  ])('refuses %s', (_, more, message) => {
    expect(() => checkInstructions(answer(more), rules)).toThrow(
      expect.objectContaining({ code: 'service_invalid', message: expect.stringMatching(message) }),
    )
  })

  it('accepts a test address in test mode', () => {
    const walletAddress = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'
    expect(checkInstructions(answer({ walletAddress }), { ...rules, test: true }).address).toBe(walletAddress)
  })

  it('refuses a fiat source', () => {
    const fiat = answer({ asset: { ...bare, symbol: 'BRL', type: 'fiat' }, walletAddress: null })
    expect(() => checkInstructions(fiat, rules)).toThrow(expect.objectContaining({ code: 'asset_not_crypto' }))
  })

  it('keeps a tag, zero too', () => {
    expect(checkInstructions(onLedger(), xrp).tag).toBe('4087552241')
    expect(checkInstructions(onLedger({ tag: '0' }), xrp).tag).toBe('0')
    expect(checkInstructions(answer({ tag: 'memo' }), rules).tag).toBe('memo')
  })

  it.each(['4294967296', '-1', '1.5', '1e3', 'abc'])('refuses the destination tag %s', (tag) => {
    expect(() => checkInstructions(onLedger({ tag }), xrp)).toThrow(/whole number/)
  })

  it('needs no tag with an address that contains it, and refuses a different one', () => {
    const x = { walletAddress: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC' }
    expect(checkInstructions(onLedger({ ...x, tag: null }), xrp).tag).toBeNull()
    expect(checkInstructions(onLedger({ ...x, tag: '1' }), xrp).tag).toBe('1')
    expect(() => checkInstructions(onLedger({ ...x, tag: '2' }), xrp)).toThrow(/carries another: 1/)
    const untagged = { walletAddress: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb', tag: null }
    expect(() => checkInstructions(onLedger(untagged), xrp)).toThrow(/no tag/)
    const lumens = { ...rules, method: { asset: 'XLM', network: 'stellar', name: 'Lumens' } }
    const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
    const answered = answer({ asset: null, network: 'stellar', walletAddress: muxed })
    expect(checkInstructions(answered, lumens).tag).toBeNull()
    expect(checkInstructions({ ...answered, tag: '9223372036854775808' }, lumens).tag).toBe('9223372036854775808')
  })

  it('refuses a missing tag where deposits are distinguished by it, unless the merchant allows it', () => {
    expect(() => checkInstructions(onLedger({ tag: null }), xrp)).toThrow(/no tag/)
    expect(checkInstructions(onLedger({ tag: null }), { ...xrp, tagOptionalOn: ['xrp-ledger'] }).tag).toBeNull()
  })

  it('removes control characters from a name and refuses an icon that runs scripts', () => {
    const asset = {
      ...bare,
      name: '\u202EnioctiB\u0000<img>',
      smallImageUrl: 'https://cdn.example/s.png',
      mediumImageUrl: 'data:text/html,x',
      largeImageUrl: 'javascript:alert(1)',
    }
    expect(checkInstructions(answer({ asset }), rules)).toMatchObject({
      name: 'nioctiB<img>',
      iconUrl: 'https://cdn.example/s.png',
    })
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
          checkInstructions(answer({ amount, asset: null, network: null, tag, walletAddress: address }), {
            ...rules,
            method,
            test: true,
          }).amount
        expect(check(written(method.count))).toBe(written(method.count))
        expect(() => check(`0${written(method.count + 1)}`)).toThrow(`more than the ${method.count} decimals`)
      }),
    )
  })
})
