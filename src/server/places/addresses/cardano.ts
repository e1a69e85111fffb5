/**
 * Cardano: Shelley addresses in bech32, longer than BIP-173 allows, and Byron addresses in base58.
 *
 * @see CIP-19
 */
import { base58, bech32 } from '@scure/base'
import { type AddressForm, crc32, sameBytes } from './bytes.ts'

/** The form of a Cardano address: Shelley (`addr1…`, CIP-19) or Byron (`Ae2…`, `DdzFF…`). */
export function cardano(address: string): AddressForm {
  return /^addr(?:_test)?1/i.test(address) ? shelley(address) : byron(address)
}

/** A header, of which the high half is the type and the low half the network, and hashes of 28 bytes. */
function shelley(address: string): AddressForm {
  const { prefix, words } = bech32.decode(address as `${string}1${string}`, false)
  const [header = 0xff, ...body] = bech32.fromWords(words)
  if (!hasLengthOf(header >> 4, body)) return 'invalid'
  const isMain = prefix === 'addr'
  return (header & 15) !== (isMain ? 1 : 0) ? 'invalid' : isMain ? 'main' : 'test'
}

/** Types 0 to 3 have two hashes, 4 and 5 one hash and a pointer, 6 and 7 one hash. Those above hold no money. */
function hasLengthOf(type: number, body: readonly number[]): boolean {
  if (type <= 3) return body.length === 56
  if (type <= 5) return isPointer(body.slice(28))
  return type <= 7 && body.length === 28
}

/** Three whole numbers in groups of seven bits, of which all but the last have the highest bit set. */
function isPointer(bytes: readonly number[]): boolean {
  return bytes.filter((byte) => byte < 0x80).length === 3 && (bytes.at(-1) ?? 0x80) < 0x80 && bytes.length <= 30
}

/** CBOR of the address's own CBOR and its CRC-32; within, a hash, attributes and a type. Attribute 2 names a test chain. */
function byron(address: string): AddressForm {
  const [content, checksum] = array(decodeCbor(base58.decode(address)), 2)
  const inner = bytesOf(tagged(content, 24))
  if (!sameBytes(crc32(inner), crcBytes(checksum))) return 'invalid'
  const [root, attributes, type] = array(decodeCbor(inner), 3)
  if (bytesOf(root).length !== 28 || typeof type !== 'bigint' || type > 2n) return 'invalid'
  return map(attributes).has(2n) ? 'test' : 'main'
}

function crcBytes(value: Cbor | undefined): Uint8Array {
  if (typeof value !== 'bigint' || value >= 2n ** 32n) throw new RangeError('Not a CRC-32')
  return Uint8Array.from([24n, 16n, 8n, 0n], (shift) => Number((value >> shift) & 0xffn))
}

/** The few kinds of CBOR values that occur in addresses. @see RFC 8949 */
type Cbor = bigint | Uint8Array | readonly Cbor[] | ReadonlyMap<bigint, Cbor> | Tagged

interface Tagged {
  readonly tag: bigint
  readonly value: Cbor
}

/** One value, and nothing after it. */
function decodeCbor(bytes: Uint8Array): Cbor {
  const [value, end] = read(bytes, 0)
  if (end !== bytes.length) throw new RangeError('Bytes after the value')
  return value
}

/** The value as a list of so many entries. @throws RangeError */
function array(value: Cbor | undefined, length: number): readonly Cbor[] {
  if (!Array.isArray(value) || value.length !== length) throw new RangeError('Not an array of that length')
  return value
}

/** The value as a map with whole numbers for keys. @throws RangeError */
function map(value: Cbor | undefined): ReadonlyMap<bigint, Cbor> {
  if (!(value instanceof Map)) throw new RangeError('Not a map')
  return value
}

/** The value as bytes. @throws RangeError */
function bytesOf(value: Cbor | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new RangeError('Not a byte string')
  return value
}

/** The value inside this tag. @throws RangeError */
function tagged(value: Cbor | undefined, tag: number): Cbor {
  if (typeof value !== 'object' || !('tag' in value) || value.tag !== BigInt(tag)) throw new RangeError('Not that tag')
  return value.value
}

/** The value that begins at this place, and where the next one begins. */
function read(bytes: Uint8Array, at: number): readonly [Cbor, number] {
  const [count, next] = readHead(bytes, at)
  switch ((bytes[at] ?? 0) >> 5) {
    case 0:
      return [count, next]
    case 2: {
      const end = next + Number(count)
      if (end > bytes.length) throw new RangeError('Cut off')
      return [bytes.slice(next, end), end]
    }
    case 4:
      return readMany(bytes, next, Number(count))
    case 5: {
      const [flat, end] = readMany(bytes, next, Number(count) * 2)
      const keys = flat.filter((_, index) => index % 2 === 0)
      return [new Map(keys.map((key, index) => [whole(key), flat[index * 2 + 1] ?? 0n])), end]
    }
    case 6: {
      const [value, end] = read(bytes, next)
      return [{ tag: count, value }, end]
    }
  }
  throw new RangeError('A kind of value that no address has')
}

/** The number in the first byte or in those after it. */
function readHead(bytes: Uint8Array, at: number): readonly [bigint, number] {
  const low = (bytes[at] ?? 0xff) & 31
  if (low < 24) return [BigInt(low), at + 1]
  const length = { 24: 1, 25: 2, 26: 4, 27: 8 }[low]
  if (length === undefined || at + length >= bytes.length) throw new RangeError('Cut off')
  const number = bytes.slice(at + 1, at + 1 + length).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return [number, at + 1 + length]
}

function readMany(bytes: Uint8Array, start: number, count: number): readonly [readonly Cbor[], number] {
  // Each takes a byte at least.
  if (count > bytes.length) throw new RangeError('Cut off')
  const values: Cbor[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    const [value, next] = read(bytes, at)
    values.push(value)
    at = next
  }
  return [values, at]
}

function whole(value: Cbor): bigint {
  if (typeof value !== 'bigint') throw new RangeError('Not a whole number')
  return value
}
