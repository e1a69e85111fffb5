/** Bitcoin and chains like it: native segwit (BIP-173, BIP-350), or base58check with a version byte of the chain. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import type { AddressForm, Check } from './bytes.ts'

/** Base58 followed by the first four bytes of a double SHA-256. */
export const base58check = createBase58check(sha256)

interface Chain {
  /** Version bytes of main addresses, of a key and of a script. */
  readonly main: readonly number[]
  readonly test: readonly number[]
  /** Human-readable parts of segwit addresses. */
  readonly segwit?: Prefixes
  /** Human-readable parts of stealth addresses of Mimblewimble blocks: two keys of 33 bytes. */
  readonly mweb?: Prefixes
}

interface Prefixes {
  readonly main: string
  readonly test: readonly string[]
}

/** Checks addresses of a chain. */
export function utxo(chain: Chain): Check {
  return (address) => {
    const lower = address.toLowerCase()
    // All in one case: base58, which mixes cases, may begin alike, as Litecoin's `LTc1…` does.
    if (address === lower || address === address.toUpperCase()) {
      if (begins(lower, chain.segwit)) return formOf(segwitPrefix(lower), chain.segwit)
      if (begins(lower, chain.mweb)) return formOf(mwebPrefix(lower), chain.mweb)
    }
    const bytes = base58check.decode(address)
    const version = bytes[0] ?? -1
    if (bytes.length !== 21) return 'invalid'
    return chain.main.includes(version) ? 'main' : chain.test.includes(version) ? 'test' : 'invalid'
  }
}

function begins(address: string, prefixes: Prefixes | undefined): prefixes is Prefixes {
  return prefixes !== undefined && [prefixes.main, ...prefixes.test].some((each) => address.startsWith(`${each}1`))
}

function formOf(prefix: string, { main, test }: Prefixes): AddressForm {
  return prefix === main ? 'main' : test.includes(prefix) ? 'test' : 'invalid'
}

/** The human-readable part of a valid segwit address; throws if it is not one. */
function segwitPrefix(address: string): string {
  // Version 0 has the first checksum, all later versions the second (BIP-350).
  const isBech32 = bech32.decodeUnsafe(address) !== undefined
  const { prefix, words } = (isBech32 ? bech32 : bech32m).decode(address as Bech32)
  const [version = 99, ...rest] = words
  const program = bech32.fromWords(rest)
  const fits = isBech32
    ? version === 0 && [20, 32].includes(program.length)
    : version >= 1 && version <= 16 && program.length >= 2 && program.length <= 40
  if (!fits) throw new RangeError('Not a witness program')
  return prefix
}

/** The human-readable part of a valid MWEB address, which is longer than BIP-173 allows; throws if it is not one. */
function mwebPrefix(address: string): string {
  const { prefix, words } = bech32.decode(address as Bech32, false)
  const [version, ...rest] = words
  if (version !== 0 || bech32.fromWords(rest).length !== 66) throw new RangeError('Not an MWEB address')
  return prefix
}

/** The type that the decoders take; the `1` was checked before. */
type Bech32 = `${string}1${string}`
