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

/** CBOR in CBOR, with its CRC-32. Inside are a hash, attributes (2 names a test chain), a type. */
function byron(address: string): AddressForm {
  const [content, checksum] = array(decodeCbor(base58.decode(address)), 2)
  if (typeof content !== 'object' || !('tag' in content) || content.tag !== 24n) return 'invalid'
  const inner = content.value
  if (!(inner instanceof Uint8Array) || checksum !== BigInt(`0x${hex.encode(crc32(inner))}`)) return 'invalid'
  const [root, attributes, type] = array(decodeCbor(inner), 3)
  if (!(root instanceof Uint8Array) || root.length !== 28 || !(attributes instanceof Map)) return 'invalid'
  if (typeof type !== 'bigint' || type > 2n) return 'invalid'
  return attributes.has(2n) ? 'test' : 'main'
}

/** The value as a list of so many entries. @throws RangeError */
function array(value: Cbor, length: number): readonly Cbor[] {
  if (!Array.isArray(value) || value.length !== length) throw new RangeError('Not an array of that length')
  return value
}

/** The kinds of CBOR values in addresses. Keys of maps are whole numbers. @see RFC 8949 */
type Cbor = bigint | Uint8Array | readonly Cbor[] | ReadonlyMap<bigint, Cbor> | Tagged

interface Tagged {
  readonly tag: bigint
  readonly value: Cbor
}

/** One value, and nothing after it. @throws RangeError */
function decodeCbor(bytes: Uint8Array): Cbor {
  let at = 0
  function take(length: number): Uint8Array {
    if (at + length > bytes.length) throw new RangeError('Cut off')
    at += length
    return bytes.slice(at - length, at)
  }
  /** The number in the low bits of the first byte, or in the bytes after it. */
  function readCount(low: number): bigint {
    if (low < 24) return BigInt(low)
    if (low > 27) throw new RangeError('Not a number')
    return take(2 ** (low - 24)).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }
  function readMany(count: number): Cbor[] {
    // Each takes a byte at least.
    if (count > bytes.length) throw new RangeError('Cut off')
    return Array.from({ length: count }, read)
  }
  function read(): Cbor {
    const [first = 0] = take(1)
    const count = readCount(first & 31)
    switch (first >> 5) {
      case 0:
        return count
      case 2:
        return take(Number(count))
      case 4:
        return readMany(Number(count))
      case 5: {
        const flat = readMany(Number(count) * 2)
        return new Map(flat.flatMap((key, at) => (at % 2 === 0 ? [[whole(key), flat[at + 1] ?? 0n]] : [])))
      }
      case 6:
        return { tag: count, value: read() }
    }
    throw new RangeError('A kind of value that no address has')
  }
  const value = read()
  if (at !== bytes.length) throw new RangeError('Bytes after the value')
  return value
}

function whole(value: Cbor): bigint {
  if (typeof value !== 'bigint') throw new RangeError('Not a whole number')
  return value
}
