/**
 * The XRP Ledger: classic addresses, and X-addresses, which may carry the destination tag.
 *
 * @see https://xrpl.org/docs/references/protocol/data-types/base58-encodings and XLS-5
 */
import { base58xrp, hex } from '@scure/base'
import type { AddressForm } from './bytes.ts'
import { startsWith, withoutSha256d } from './bytes.ts'

/** The form of an XRP Ledger address, classic (`r…`) or with the tag in it (`X…`). */
export function xrp(address: string): AddressForm {
  const body = withoutSha256d(base58xrp.decode(address))
  if (body.length === 21 && body[0] === 0) return 'any'
  if (!isXAddress(body)) return 'invalid'
  return startsWith(body, xMain) ? 'main' : 'test'
}

/** The tag in an address that is valid. */
export function xrpTag(address: string): string | null {
  const body = withoutSha256d(base58xrp.decode(address))
  if (!isXAddress(body) || body[22] === 0) return null
  return String(new DataView(body.buffer, body.byteOffset).getUint32(23, true))
}

/** The account of a valid address, in hex: the same in both forms. */
export function xrpAccount(address: string): string {
  const body = withoutSha256d(base58xrp.decode(address))
  return hex.encode(isXAddress(body) ? body.slice(2, 22) : body.slice(1))
}

const xMain = [0x05, 0x44]
const xTest = [0x04, 0x93]

/** Two bytes of the chain, the account's 20, a flag, and a tag of 32 bits in the first four of eight bytes. */
function isXAddress(body: Uint8Array): boolean {
  if (body.length !== 31 || !(startsWith(body, xMain) || startsWith(body, xTest))) return false
  const [flag, unused] = [body[22], body.slice(flagOf(body) === 0 ? 23 : 27)]
  return (flag === 0 || flag === 1) && unused.every((byte) => byte === 0)
}

function flagOf(body: Uint8Array): number {
  return body[22] ?? 0
}
