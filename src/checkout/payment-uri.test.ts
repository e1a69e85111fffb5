import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAtomic } from '../contract/decimal.ts'
import {
  bip321,
  cashAddrUri,
  erc681,
  moneroUri,
  type Payment,
  sep7,
  solanaPay,
  tonTransfer,
  xrpWithTag,
} from './payment-uri.ts'

const payment = (changes: Partial<Payment>): Payment => ({
  asset: 'BTC',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  amount: '0.00123456',
  tag: null,
  ...changes,
})
const ether = payment({ asset: 'ETH', address: '0x52908400098527886E0F7030069857D2E4169EE7' })

describe('bip321', () => {
  it.each([
    ['bech32 as it is', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    [
      'bech32 from capitals',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    ['base58 that begins like bech32', 'LTc1ficWPCLXX3BPdC1EJC1SdpgdQXyYxi', 'LTc1ficWPCLXX3BPdC1EJC1SdpgdQXyYxi'],
    ['base58 unchanged', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    [
      'a prefix that is there already',
      'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    ],
  ])('writes %s', (_name, address, written) => {
    expect(bip321('bitcoin', payment({ address }))).toBe(`bitcoin:${written}?amount=0.00123456`)
  })

  it('writes every amount of satoshi without exponent or rounding', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 21_000_000n * 10n ** 8n }), (satoshi) => {
        const amount = formatAtomic(satoshi, 8)
        expect(bip321('bitcoin', payment({ amount })).split('?amount=')[1]).toBe(amount)
        expect(amount).toMatch(/^\d+(\.\d{1,8})?$/)
      }),
    )
  })
})

describe('cashAddrUri', () => {
  const plain = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
  it.each([
    [plain, `bitcoincash:${plain}?amount=0.5`],
    [`bitcoincash:${plain}`, `bitcoincash:${plain}?amount=0.5`],
    [`BITCOINCASH:${plain.toUpperCase()}`, `bitcoincash:${plain}?amount=0.5`],
    [`bchtest:${plain}`, `bchtest:${plain}?amount=0.5`],
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu?amount=0.5'],
  ])('%s', (address, uri) => {
    expect(cashAddrUri(payment({ address, amount: '0.50' }))).toBe(uri)
  })
})

describe('erc681', () => {
  it.each([
    ['1', '1000000000000000000'],
    ['0.000000000000000001', '1'],
    ['2.014', '2014000000000000000'],
    ['123456789.123456789012345678', '123456789123456789012345678'],
  ])('%s ETH is %s wei, in plain digits', (amount, wei) => {
    expect(erc681({ ...ether, amount })).toBe(`ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1?value=${wei}`)
  })

  it('refuses more decimals than the asset has', () => {
    expect(erc681({ ...ether, amount: '0.0000000000000000001' })).toBeNull()
  })
})

describe('the other forms', () => {
  it('monero and solana take whole coins', () => {
    expect(moneroUri(payment({ address: '4AdU', amount: '1e-8' }))).toBe('monero:4AdU?tx_amount=0.00000001')
    expect(solanaPay(payment({ address: 'So11', amount: '.5' }))).toBe('solana:So11?amount=0.5')
  })

  it.each([
    ['0', 'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN?dt=0'],
    ['4294967295', 'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN?dt=4294967295'],
    ['4294967296', null],
    ['007', null],
    ['12a', null],
    [null, null],
  ])('XRP tag %s: %s', (tag, text) => {
    expect(xrpWithTag(payment({ address: 'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN', tag }))).toBe(text)
  })

  it.each([
    ['12345', 'web+stellar:pay?destination=GABC&amount=20.1234567&memo=12345&memo_type=MEMO_ID'],
    [
      '18446744073709551615',
      'web+stellar:pay?destination=GABC&amount=20.1234567&memo=18446744073709551615&memo_type=MEMO_ID',
    ],
    [
      '18446744073709551616',
      'web+stellar:pay?destination=GABC&amount=20.1234567&memo=18446744073709551616&memo_type=MEMO_TEXT',
    ],
    ['a & b', 'web+stellar:pay?destination=GABC&amount=20.1234567&memo=a%20%26%20b&memo_type=MEMO_TEXT'],
    ['a memo of more than 28 bytes!!!', null],
  ])('Stellar memo %s', (tag, text) => {
    expect(sep7(payment({ address: 'GABC', amount: '20.1234567', tag }))).toBe(text)
  })

  it('TON counts in nanotons and carries the comment', () => {
    const ton = payment({ asset: 'TON', address: 'EQBx', amount: '1.5', tag: 'order 7&x' })
    expect(tonTransfer(ton)).toBe('ton://transfer/EQBx?amount=1500000000&text=order%207%26x')
    expect(tonTransfer({ ...ton, tag: null })).toBeNull()
    expect(tonTransfer({ ...ton, amount: '1.0000000001' })).toBeNull()
  })

  it('TON addresses stand in a link in the alphabet that URLs have', () => {
    const ton = payment({ address: 'EQCmGW+z+UL00FmnhWaMvJq/i86YY5GlJP3uJW19KC5Tzq4C', amount: '1', tag: 'a' })
    expect(tonTransfer(ton)).toBe(
      'ton://transfer/EQCmGW-z-UL00FmnhWaMvJq_i86YY5GlJP3uJW19KC5Tzq4C?amount=1000000000&text=a',
    )
  })
})
