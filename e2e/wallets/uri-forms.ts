/** Every form of payment code with more than an address or a tag, and its reader. */
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base58check } from '@scure/base'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { NetworkKind } from '../../src/contract/networks/table.ts'
import { ethereumAddress, segwitAddress, stellarAddress, xrpAddress } from '../../src/sandbox/encodings.ts'
import { readBip21, readErc681, readSep7, readSolanaPay, readUrl, readXrp, type ScannedPayment } from './uri-readers.ts'

/** One form of payment code. */
export interface UriForm {
  readonly asset: string
  readonly network: NetworkKind
  readonly decimals: number
  /** What the amount in the text counts. */
  readonly unit: 'coin' | 'atomic' | 'none'
  /** The most that the chain can count, or more. */
  readonly mostAtomic: bigint
  /** An address as a service may write it, and as the parser has to find it. */
  readonly address: fc.Arbitrary<readonly [given: string, found: string]>
  readonly tag: fc.Arbitrary<string | null>
  readonly read: (text: string) => ScannedPayment
}

const int64 = 2n ** 63n - 1n
/** Any 20 bytes, as addresses are made of. */
export const key20 = fc.uint8Array({ minLength: 20, maxLength: 20 })
const key32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const noTag = fc.constant(null)
/** Any unsigned whole number of so many bits, as text. */
export const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }).map(String)
const printable = (maxLength: number) =>
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength }).filter((text) => /^[!-~](?:[ -~]*[!-~])?$/.test(text))

const asGiven = (address: fc.Arbitrary<string>) => address.map((text) => [text, text] as const)
const segwit = (prefix: string) => fc.oneof(key20, key32).map((program) => segwitAddress(prefix, program))
const base58Of = (version: number) => key20.map((key) => base58check(sha256).encode(Uint8Array.of(version, ...key)))

/** Plain, in capitals, and both with the URI's prefix, for addresses without regard to case. */
const anyCase = (scheme: string, address: fc.Arbitrary<string>) =>
  address.chain((text) =>
    fc
      .constantFrom(text, `${scheme}:${text}`)
      .chain((given) => fc.constantFrom(given, given.toUpperCase()))
      .map((given) => [given, text] as const),
  )
const prefixable = (scheme: string, address: fc.Arbitrary<string>) =>
  address.chain((text) => fc.constantFrom(text, `${scheme}:${text}`).map((given) => [given, text] as const))

// Vectors of the CashAddr specification (the prefix is part of the address), and their base58 form.
const cashAddr = fc.oneof(
  anyCase('bitcoincash', fc.constantFrom('qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a')),
  anyCase('bitcoincash', fc.constantFrom('ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq')),
  prefixable('bitcoincash', base58Of(0)),
)
// From the wallet RPC's documentation: a wallet, an account in it, and a payment id.
const moneroAddresses = fc.constantFrom(
  '55LTR8KniP4LQGJSPtbYDacR7dz8RBFnsfAKMaMuwUNYX6aQbBcovzDPyrQF9KXF9tVU6Xk3K8no1BywnJX6GvZX8yJsXvt',
  '7BnERTpvL5MbCLtj5n9No7J5oE5hHiB3tVCK5cjSvCsWD2WRJLFuWeKTLiXo5QJqt2ZwUaLy2Vh1Ad51K7FNgqcHgjW85o',
  '5F38Rw9HKeaLQGJSPtbYDacR7dz8RBFnsfAKMaMuwUNYX6aQbBcovzDPyrQF9KXF9tVU6Xk3K8no1BywnJX6GvZXCkbHUXdPHyiUeRyokn',
)
const tonAddresses = fc.constantFrom(
  'EQA0i8-CdGnF_DhUHHf92R1ONH6sIA9vLZ_WLcCIhfBBXwtG',
  'UQA0i8-CdGnF_DhUHHf92R1ONH6sIA9vLZ_WLcCIhfBBX1aD',
)
// The same account in both base64 alphabets, from wallet-core's tests. Only one fits into a URL.
const tonStandard = fc.constantFrom(
  ['EQDk2VTvn04SUKJrW7rXahzdF8/Qi6utb0wj43InCu9vdjrR', 'EQDk2VTvn04SUKJrW7rXahzdF8_Qi6utb0wj43InCu9vdjrR'] as const,
  ['EQAN6Dr3vziti1Kp9D3aEFqJX4bBVfCaV57Z+9jwKTBXICv8', 'EQAN6Dr3vziti1Kp9D3aEFqJX4bBVfCaV57Z-9jwKTBXICv8'] as const,
  ['EQCmGW+z+UL00FmnhWaMvJq/i86YY5GlJP3uJW19KC5Tzq4C', 'EQCmGW-z-UL00FmnhWaMvJq_i86YY5GlJP3uJW19KC5Tzq4C'] as const,
)

const inCoins = { decimals: 8, unit: 'coin', mostAtomic: int64, tag: noTag } as const

/** Every form. */
export const uriForms: readonly UriForm[] = [
  {
    ...inCoins,
    asset: 'BTC',
    network: 'bitcoin',
    address: fc.oneof(anyCase('bitcoin', segwit('bc')), prefixable('bitcoin', fc.oneof(base58Of(0), base58Of(5)))),
    read: (text) => readBip21('bitcoin', text),
  },
  {
    ...inCoins,
    asset: 'LTC',
    network: 'litecoin',
    address: fc.oneof(
      anyCase('litecoin', segwit('ltc')),
      prefixable('litecoin', fc.oneof(base58Of(0x30), fc.constant('LTc1ficWPCLXX3BPdC1EJC1SdpgdQXyYxi'))),
    ),
    read: (text) => readBip21('litecoin', text),
  },
  {
    ...inCoins,
    asset: 'DOGE',
    network: 'dogecoin',
    address: prefixable('dogecoin', base58Of(0x1e)),
    read: (text) => readBip21('dogecoin', text),
  },
  {
    ...inCoins,
    asset: 'BCH',
    network: 'bitcoin-cash',
    address: cashAddr,
    read: (text) => readBip21('bitcoincash', text),
  },
  {
    ...inCoins,
    asset: 'XMR',
    network: 'monero',
    decimals: 12,
    address: prefixable('monero', moneroAddresses),
    read: (text) => {
      const { url, values } = readUrl('monero:', ['tx_amount'], text)
      return { address: url.pathname, amount: values[0] ?? null, tag: null }
    },
  },
  {
    asset: 'ETH',
    network: 'ethereum',
    decimals: 18,
    unit: 'atomic',
    mostAtomic: 2n ** 120n,
    address: asGiven(key20.map(ethereumAddress)),
    tag: noTag,
    read: readErc681,
  },
  {
    ...inCoins,
    asset: 'SOL',
    network: 'solana',
    decimals: 9,
    address: asGiven(key32.map((key) => base58.encode(key))),
    read: readSolanaPay,
  },
  {
    asset: 'XRP',
    network: 'xrp-ledger',
    decimals: 6,
    unit: 'none',
    mostAtomic: int64,
    address: asGiven(key20.map(xrpAddress)),
    tag: uint(32),
    read: (text) => {
      const { to, tag } = readXrp('XrplDestination', text)
      return { address: String(to), amount: null, tag: String(tag) }
    },
  },
  {
    ...inCoins,
    asset: 'XLM',
    network: 'stellar',
    decimals: 7,
    address: asGiven(key32.map(stellarAddress)),
    tag: fc.oneof(uint(64), uint(80), printable(28)),
    read: readSep7,
  },
  {
    asset: 'TON',
    network: 'ton',
    decimals: 9,
    unit: 'atomic',
    mostAtomic: 2n ** 120n - 1n,
    address: fc.oneof(asGiven(tonAddresses), tonStandard),
    tag: printable(128),
    read: (text) => {
      const { url, values } = readUrl('ton:', ['amount', 'text'], text)
      expect(url.host).toBe('transfer')
      // Some wallets take `+` for itself and some for a space.
      expect(decodeURIComponent(text.split('&text=')[1] ?? '')).toBe(values[1])
      return { address: url.pathname.slice(1), amount: values[0] ?? null, tag: values[1] ?? null }
    },
  },
]
