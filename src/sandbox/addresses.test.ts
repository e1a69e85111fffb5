import { base32nopad, base58, base58xrp, bech32, hex } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { allNetworks } from '../contract/networks/table.ts'
import { tagProblem } from '../server/addresses/destination.ts'
import { readAddress } from '../server/addresses/formats.ts'
import { createAddressBook } from './addresses.ts'
import { sandboxAssets } from './assets.ts'
import { ethereumAddress, segwitAddress, stellarAddress, tronAddress, xrpAddress } from './encodings.ts'
import { seededRandom } from './random.ts'

describe('known addresses', () => {
  it.each([
    [
      'BIP-173',
      segwitAddress('tb', hex.decode('751e76e8199196d454941c45d1b3a323f1433bd6')),
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    ],
    [
      'ERC-55',
      ethereumAddress(hex.decode('5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')),
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ],
    [
      'ERC-55, all upper case',
      ethereumAddress(hex.decode('52908400098527886e0f7030069857d2e4169ee7')),
      '0x52908400098527886E0F7030069857D2E4169EE7',
    ],
    [
      'the USDT contract on Tron',
      tronAddress(hex.decode('a614f803b6fd780986a42c78ec9c7f77e6ded13c')),
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ],
    ['ACCOUNT_ZERO of the XRP Ledger', xrpAddress(new Uint8Array(20)), 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
    [
      'SEP-23',
      stellarAddress(hex.decode('3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a')),
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    ],
  ])('are written as in %s', (_, address, expected) => {
    expect(address).toBe(expected)
  })
})

describe('an address book', () => {
  const book = createAddressBook(seededRandom(7))

  it.each([
    ['bitcoin', /^tb1q[a-z0-9]{38}$/, (address: string) => segwitPrefix(address) === 'tb'],
    ['litecoin', /^tltc1q[a-z0-9]{38}$/, (address: string) => segwitPrefix(address) === 'tltc'],
    [
      'erc-20',
      /^0x[0-9a-fA-F]{40}$/,
      (address: string) => ethereumAddress(hex.decode(address.slice(2).toLowerCase())) === address,
    ],
    ['trc-20', /^T[1-9A-HJ-NP-Za-km-z]{33}$/, (address: string) => base58.decode(address)[0] === 0x41],
  ])('gives every order on %s an address of its own', (network, form, isValid) => {
    const addresses = Array.from({ length: 20 }, () => book.next(network))
    for (const { address, tag } of addresses) {
      expect(address).toMatch(form)
      expect(isValid(address)).toBe(true)
      expect(tag).toBeNull()
    }
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(20)
  })

  it.each([
    ['ripple', (address: string) => base58xrp.decode(address).length === 25, /^\d{1,10}$/],
    ['stellar', (address: string) => base32nopad.decode(address)[0] === 48, /^[2-9A-Z]{10}$/],
  ])('distinguishes orders on %s by their tag', (network, isValid, form) => {
    const addresses = Array.from({ length: 20 }, () => book.next(network))
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(1)
    expect(isValid(addresses[0]?.address ?? '')).toBe(true)
    expect(new Set(addresses.map(({ tag }) => tag)).size).toBe(20)
    for (const { tag } of addresses) expect(tag).toMatch(form)
  })
})

describe('every network that the contract knows', () => {
  const book = createAddressBook(seededRandom(11))
  /** Networks without addresses in the sandbox. */
  const unknown = ['monero', 'filecoin', 'internet-computer', 'kaspa']

  it.each(allNetworks().flatMap((known) => (unknown.includes(known.kind) ? [] : [[known.kind, known] as const])))(
    '%s gets valid addresses, and tags where it needs them',
    (kind, { needsTag }) => {
      for (let count = 0; count < 20; count++) {
        const { address, tag } = book.next(kind)
        expect([address, readAddress(address, kind).form]).toEqual([address, expect.stringMatching(/^(test|any)$/)])
        expect(tag !== null).toBe(needsTag ?? false)
        if (tag !== null) expect(tagProblem(tag, kind)).toBeUndefined()
      }
    },
  )

  it.each([...unknown, 'a-new-chain'])('%s is refused, and named', (network) => {
    expect(() => book.next(network)).toThrow(`no addresses for the network ${network}`)
  })

  it('has addresses in the sandbox, if the sandbox trades an asset on it', () => {
    for (const { network } of sandboxAssets) if (network !== null) expect(book.next(network).address).not.toBe('')
  })
})

/** The prefix of a version 0 address with a valid checksum and a key hash of 20 bytes. */
function segwitPrefix(address: string): string | undefined {
  const decoded = bech32.decodeUnsafe(address)
  const [version, ...words] = decoded ? decoded.words : []
  return version === 0 && bech32.fromWords(words).length === 20 ? decoded?.prefix : undefined
}
