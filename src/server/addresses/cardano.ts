/** Cardano (CIP-19): Shelley addresses in bech32, longer than BIP-173 allows; Byron's in base58. */
import { base58, bech32, hex } from '@scure/base'
import { type AddressForm, crc32 } from './bytes.ts'

/** The form of a Cardano address: Shelley (`addr1…`, CIP-19) or Byron (`Ae2…`, `DdzFF…`). */
export function cardano(address: string): AddressForm {
  return /^addr(?:_test)?1/i.test(address) ? shelley(address) : byron(address)
}

/** A header, whose high half is the type and low half the network, and hashes of 28 bytes. */
function shelley(address: string): AddressForm {
  const { prefix, words } = bech32.decode(address, false)
  const [header = 0xff, ...body] = bech32.fromWords(words)
  if (!hasLengthOf(header >> 4, body)) return 'invalid'
  const isMain = prefix === 'addr'
  return (header & 15) !== (isMain ? 1 : 0) ? 'invalid' : isMain ? 'main' : 'test'
}

/** Types 0 to 3 have two hashes, 4 and 5 one and a pointer, 6 and 7 one. Others hold no money. */
function hasLengthOf(type: number, body: readonly number[]): boolean {
  if (type <= 3) return body.length === 56
  if (type <= 5) return isPointer(body.slice(28))
  return type <= 7 && body.length === 28
}

/** Three whole numbers in groups of seven bits; all but the last have the highest bit set. */
function isPointer(bytes: readonly number[]): boolean {
  return bytes.filter((byte) => byte < 0x80).length === 3 && (bytes.at(-1) ?? 0x80) < 0x80 && bytes.length <= 30
}

/**
 * CBOR: bytes with the tag 24, and their CRC-32 as a number. In the bytes are a hash, attributes of
 * which number 2 names a test chain, and a type.
 */
function byron(address: string): AddressForm {
  const bytes = base58.decode(address)
  const content = bytes.slice(5, 5 + (bytes[4] ?? 0))
  const sum = hex.encode(crc32(content))
  const number = sum.startsWith('0000') ? `19${sum.slice(4)}` : `1a${sum}`
  const isWhole = hex.encode(bytes) === `82d81858${hex.encode(bytes.slice(4, 5))}${hex.encode(content)}${number}`
  const attributes = numbersOf(content.slice(31, -1))
  const fits = hex.encode(content.slice(0, 3)) === '83581c' && attributes && (content.at(-1) ?? 3) <= 2
  return !isWhole || !fits ? 'invalid' : attributes.includes(2) ? 'test' : 'main'
}

/** The numbers of attributes, which are bytes each; undefined where it is something else. */
function numbersOf([head = 0, ...map]: Uint8Array): readonly number[] | undefined {
  const numbers: number[] = []
  let at = 0
  while (at < map.length) {
    const [number = 0, size = 0, long = 0] = map.slice(at, at + 3)
    if (size >> 5 !== 2) return undefined
    numbers.push(number)
    at += size === 0x58 ? 3 + long : 2 + (size & 31)
  }
  return at === map.length && head === 0xa0 + numbers.length ? numbers : undefined
}
