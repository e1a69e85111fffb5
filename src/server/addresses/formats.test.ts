import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AddressForm } from './bytes.ts'
import { readAddress } from './formats.ts'

/** Addresses published in the specifications and documents of each network. */
const published: [network: string, form: AddressForm, address: string][] = [
  ['bitcoin', 'main', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoin', 'main', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['bitcoin', 'test', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
  ['bitcoin', 'main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['bitcoin', 'main', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['bitcoin', 'main', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'test', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['ethereum', 'any', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['erc-20', 'any', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['ripple', 'any', 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn'],
  ['stellar', 'any', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['trc-20', 'any', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['solana', 'any', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  // Not published: base58 that begins like bech32.
  ['litecoin', 'main', 'LTc1ficWPCLXX3BPdC1EJC1SdpgdQXyYxi'],
  ['bitcoin-cash', 'main', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['bitcoin-cash', 'main', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['ton', 'main', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  ['eos', 'any', 'eosio.token'],
  ['monero', 'main', '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A'],
]

/** Names that carry none; `erc-20` stands for the address in lower case. */
const withoutChecksum = ['eos', 'solana', 'erc-20']

describe('readAddress', () => {
  it.each(published)('accepts a published address of %s as %s: %s', (network, form, address) => {
    expect(readAddress(address, network).form).toBe(form)
  })

  it.each(published.filter(([network]) => !withoutChecksum.includes(network)))(
    'refuses an address of %s (%s) with one letter changed',
    (network, _, address) => {
      fc.assert(
        fc.property(fc.nat(address.length - 1), fc.constantFrom(...'abcdefghjkmnpqrstuvwxyz23456789'), (at, letter) => {
          fc.pre(address[at]?.toLowerCase() !== letter && !/^(0x|bitcoincash:)/.test(address.slice(at)))
          const damaged = address.slice(0, at) + letter + address.slice(at + 1)
          expect(readAddress(damaged, network).form).toBe('invalid')
        }),
      )
    },
  )

  it.each([
    ['bitcoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
    ['bitcoin', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['ethereum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bitcoin', 'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du'],
    ['bitcoin', ''],
    ['anything', 'has space'],
    ['anything', 'a?amount=1'],
    ['anything', 'a\u202Eb'],
    ['anything', 'x'.repeat(257)],
  ])('refuses on %s: %j', (network, address) => {
    expect(readAddress(address, network).form).toBe('invalid')
  })

  it('checks only the characters of networks it does not know', () => {
    expect(readAddress('some-address:1', 'newchain').form).toBe('any')
  })
})
