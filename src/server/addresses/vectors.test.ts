/** Every check against published addresses, and against each of them with one character changed. */
import { describe, expect, it } from 'vitest'
import { evmNetworks } from '../../contract/networks/evm.ts'
import { allNetworks, type NetworkKind } from '../../contract/networks/table.ts'
import { someOf } from '../../testing/tier.testing.ts'
import type { AddressForm } from './bytes.ts'
import { readAddress } from './formats.ts'
import { accountsVectors } from './vectors/accounts.testing.ts'
import { base58Vectors } from './vectors/base58.testing.ts'
import { bitcoinVectors } from './vectors/bitcoin.testing.ts'
import { cardanoVectors } from './vectors/cardano.testing.ts'
import { cashVectors } from './vectors/cash.testing.ts'
import { dashVectors } from './vectors/dash.testing.ts'
import { eosVectors } from './vectors/eos.testing.ts'
import { filecoinVectors } from './vectors/filecoin.testing.ts'
import { hexVectors } from './vectors/hex.testing.ts'
import { litecoinVectors } from './vectors/litecoin.testing.ts'
import { stellarVectors } from './vectors/stellar.testing.ts'
import { substrateVectors } from './vectors/substrate.testing.ts'
import { tonVectors } from './vectors/ton.testing.ts'
import type { Vectors } from './vectors/vectors.testing.ts'
import { xrpVectors } from './vectors/xrp.testing.ts'
import { zcashVectors } from './vectors/zcash.testing.ts'

const published: readonly Vectors[] = [
  accountsVectors,
  base58Vectors,
  bitcoinVectors,
  cardanoVectors,
  cashVectors,
  dashVectors,
  eosVectors,
  filecoinVectors,
  hexVectors,
  litecoinVectors,
  stellarVectors,
  substrateVectors,
  tonVectors,
  xrpVectors,
  zcashVectors,
].flat()

const validForms = ['main', 'test', 'any'] as const
const forms = [...validForms, 'invalid'] as const

/** Networks with the addresses of another. */
const sharing: readonly (readonly [NetworkKind, NetworkKind])[] = [
  ...Object.keys(evmNetworks).map((kind) => [kind as NetworkKind, 'ethereum'] as const),
  ['polkadot-asset-hub', 'polkadot'],
]

describe('published addresses', () => {
  it.each(
    published.flatMap(({ network, sources }) => sources.map((source) => [network, source.source, source] as const)),
  )('of %s: %s', (network, _, source) => {
    const expected = forms.flatMap((form) => (source[form] ?? []).map((address) => [address, form] as const))
    expect(expected.map(([address]) => [address, readAddress(address, network).form])).toEqual(expected)
  })

  it.each(allNetworks().map(({ kind }) => kind))(
    'are at least twenty for %s, valid and invalid ones, from more than one source',
    (kind) => {
      const independent = vectorsOf(kind).sources.filter(({ isOwn }) => !isOwn)
      const valid = new Set(independent.flatMap((source) => validForms.flatMap((form) => source[form] ?? [])))
      const invalid = new Set(independent.flatMap((source) => source.invalid ?? []))
      expect(valid.size).toBeGreaterThan(0)
      expect(invalid.size).toBeGreaterThan(0)
      expect(valid.size + invalid.size).toBeGreaterThanOrEqual(20)
      expect(independent.length).toBeGreaterThan(1)
    },
  )

  it.each(sharing)('are for %s those of %s', (kind, other) => {
    const { sources } = vectorsOf(other)
    const expected = sources.flatMap((source) =>
      forms.flatMap((form) => (source[form] ?? []).map((address) => [address, form] as const)),
    )
    expect(expected.map(([address]) => [address, readAddress(address, kind).form])).toEqual(expected)
  })
})

/** Networks, and forms of address on others, without a checksum. */
const unchecked: Readonly<Partial<Record<NetworkKind, RegExp>>> = {
  solana: /./,
  eos: /./,
  near: /./,
  aptos: /./,
  sui: /./,
  ethereum: /^0x(?:[\da-f]+|[\dA-F]+)$/,
  starknet: /^0x(?:[\da-f]+|[\dA-F]+)$/,
  hedera: /^[\d.]+$/,
  ton: /:/,
  filecoin: /^[ft]0/,
}

/**
 * Undetected changes of one character, in a thousand: SS58 has 16 bits of checksum, EIP-55 a bit
 * for each letter, HIP-15 few for a digit.
 */
const maySlip: Readonly<Partial<Record<NetworkKind, number>>> = { polkadot: 0.1, kusama: 0.1, ethereum: 1, starknet: 1 }

/** All 68 in `npm run test:money`; every fifth, of all kinds, in `npm test`. */
const characters = someOf([...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:.-_+/'], 5)

describe('one character changed', () => {
  it.each(published.filter((vectors) => checkedOf(vectors).length > 0).map((vectors) => [vectors.network, vectors]))(
    'is seen on %s, wherever it is and whatever it becomes',
    (network, vectors) => {
      const damaged = oneOfEach(checkedOf(vectors)).flatMap(oneCharacterOff)
      const slipped = damaged.filter((address) => readAddress(address, network).form !== 'invalid')
      expect(damaged.length).toBeGreaterThan(100)
      expect(slipped.slice(0, Math.max(0, slipped.length - (damaged.length * (maySlip[network] ?? 0)) / 1000))).toEqual(
        [],
      )
    },
    20_000,
  )
})

describe('variants of published addresses', () => {
  it.each(published.map((vectors) => [vectors.network, vectors] as const))(
    'is refused on %s: with a character that no address has, and with what turns a payment code',
    (network, vectors) => {
      for (const [address] of validOf(vectors))
        for (const extra of [' ', '?', '&', '#', '%', '!', '|', '\\', '\u202E', '?amount=1', ':anything', '/../x'])
          for (const damaged of [address + extra, extra + address, address.slice(0, 5) + extra + address.slice(5)])
            expect([damaged, readAddress(damaged, network).form]).toEqual([damaged, 'invalid'])
    },
  )

  it.each(published.filter((vectors) => checkedOf(vectors).length > 0).map((vectors) => [vectors.network, vectors]))(
    'is refused on %s: cut, longer, twice and with two neighbours changed over',
    (network, vectors) => {
      for (const address of checkedOf(vectors)) {
        const half = Math.floor(address.length / 2)
        const [left = '', right = ''] = [address[half], address[half + 1]]
        const swapped = address.slice(0, half) + right + left + address.slice(half + 2)
        const made = [address.slice(1), address.slice(0, -1), `${address}q`, address.slice(0, half), address + address]
        for (const damaged of left === right ? made : [...made, swapped])
          if (!unchecked[network]?.test(damaged))
            expect([damaged, readAddress(damaged, network).form]).toEqual([damaged, 'invalid'])
      }
    },
  )
})

function vectorsOf(kind: NetworkKind): Vectors {
  const own = sharing.find(([sharer]) => sharer === kind)?.[1] ?? kind
  const vectors = published.find(({ network }) => network === own)
  if (!vectors) throw new Error(`No published addresses of ${kind}`)
  return vectors
}

function validOf({ sources }: Vectors): (readonly [address: string, form: AddressForm])[] {
  return validForms.flatMap((form) =>
    sources.flatMap((source) => (source[form] ?? []).map((address) => [address, form] as const)),
  )
}

function checkedOf(vectors: Vectors): string[] {
  const without = unchecked[vectors.network] ?? /^$/
  return validOf(vectors).flatMap(([address]) => (without.test(address) ? [] : [address]))
}

/**
 * All texts that differ in one place, except those that the network reads alike: capitals in
 * hexadecimal, and both alphabets of base64.
 */
function oneCharacterOff(address: string): string[] {
  const plain = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
  const isHex = /^[\da-f]{64}$/i.test(address)
  return [...address].flatMap((was, at) =>
    characters.flatMap((now) => {
      const isSame =
        plain(was) === plain(now) ||
        (isHex && was.toLowerCase() === now.toLowerCase()) ||
        isOtherChain(address, at, now)
      return isSame ? [] : [address.slice(0, at) + now + address.slice(at + 1)]
    }),
  )
}

/** The first character of a Filecoin address names the chain, and the checksum leaves it out. */
function isOtherChain(address: string, at: number, now: string): boolean {
  return at === 0 && 'ft'.includes(now) && /^[ft][1-4][a-z2-7]+$/.test(address)
}

/** One of each beginning and length, three at most. */
function oneOfEach(addresses: readonly string[]): readonly string[] {
  const kinds = Map.groupBy(addresses, (address) => `${address.slice(0, 2)} ${address.length > 90}`)
  return [...kinds.values()].flatMap(([first]) => first ?? []).slice(0, 3)
}
