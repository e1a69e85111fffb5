/**
 * Cardano: Shelley addresses in bech32, longer than BIP-173 allows, and Byron addresses in base58.
 *
 * @see CIP-19
 */
import { base58, bech32 } from '@scure/base'
import { crc32, sameBytes } from './bytes.ts'
import { array, bytesOf, type Cbor, decodeCbor, map, tagged } from './cbor.ts'
import type { AddressForm } from './form.ts'

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
