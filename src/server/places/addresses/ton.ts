/**
 * TON: the user-friendly form in either alphabet of base64, and the raw form, which has no checksum.
 *
 * @see https://docs.ton.org, smart contract addresses
 */
import { base64urlnopad, hex } from '@scure/base'
import type { AddressForm } from './bytes.ts'
import { crc16, sameBytes } from './bytes.ts'

/** The workchain and the hash of an account; masterchain is -1. */
const raw = /^(?:0|-1):[0-9a-fA-F]{64}$/

/** The form of a TON address: 36 bytes in base64 or base64url, or a workchain and 32 bytes in hex. */
export function ton(address: string): AddressForm {
  if (raw.test(address)) return 'any'
  if (/[+/]/.test(address) && /[-_]/.test(address)) return 'invalid'
  const bytes = bytesOf(address)
  const [flags = 0, workchain = 0] = bytes
  if (bytes.length !== 36 || !sameBytes(bytes.slice(34), crc16(bytes.slice(0, 34)))) return 'invalid'
  // Bounceable or not, and 0x80 of test chains.
  if (![0x11, 0x51].includes(flags & 0x7f) || ![0, 0xff].includes(workchain)) return 'invalid'
  return flags & 0x80 ? 'test' : 'main'
}

/** The raw form of a valid address: the same for those that bounce and those that do not. */
export function tonAccount(address: string): string {
  if (raw.test(address)) return address.toLowerCase()
  const bytes = bytesOf(address)
  return `${bytes[1] === 0 ? 0 : -1}:${hex.encode(bytes.slice(2, 34))}`
}

function bytesOf(address: string): Uint8Array {
  return base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'))
}
