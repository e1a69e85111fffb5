/** The part of CBOR (RFC 8949) that Byron addresses of Cardano use. Everything here throws on anything else. */

/** The few kinds of CBOR values that occur in addresses. @see RFC 8949 */
export type Cbor = bigint | Uint8Array | readonly Cbor[] | ReadonlyMap<bigint, Cbor> | Tagged

interface Tagged {
  readonly tag: bigint
  readonly value: Cbor
}

/** One value, and nothing after it. */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const [value, end] = read(bytes, 0)
  if (end !== bytes.length) throw new RangeError('Bytes after the value')
  return value
}

/** The value as a list of so many entries. @throws RangeError */
export function array(value: Cbor | undefined, length: number): readonly Cbor[] {
  if (!Array.isArray(value) || value.length !== length) throw new RangeError('Not an array of that length')
  return value
}

/** The value as a map with whole numbers for keys. @throws RangeError */
export function map(value: Cbor | undefined): ReadonlyMap<bigint, Cbor> {
  if (!(value instanceof Map)) throw new RangeError('Not a map')
  return value
}

/** The value as bytes. @throws RangeError */
export function bytesOf(value: Cbor | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new RangeError('Not a byte string')
  return value
}

/** The value inside this tag. @throws RangeError */
export function tagged(value: Cbor | undefined, tag: number): Cbor {
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
