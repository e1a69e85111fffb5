/** Encodes keys as addresses. */
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base32nopad, base58check, base58xrp, bech32, hex } from '@scure/base'

/** Pay to witness public key hash. @see BIP-173 */
export function segwitAddress(prefix: string, keyHash: Uint8Array): string {
  return bech32.encode(prefix, [0, ...bech32.toWords(keyHash)])
}

/** An Ethereum address. Its mixed case is its checksum. @see ERC-55 */
export function ethereumAddress(account: Uint8Array): string {
  const plain = hex.encode(account)
  const hash = hex.encode(keccak_256(new TextEncoder().encode(plain)))
  const cased = Array.from(plain, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** Base58Check with Tron's version byte as prefix. */
export function tronAddress(account: Uint8Array): string {
  return base58check(sha256).encode(Uint8Array.of(0x41, ...account))
}

/**
 * A classic address, in the ledger's own alphabet.
 *
 * @see https://xrpl.org/docs/references/protocol/data-types/base58-encodings
 */
export function xrpAddress(account: Uint8Array): string {
  const payload = Uint8Array.of(0, ...account)
  return base58xrp.encode(Uint8Array.of(...payload, ...sha256(sha256(payload)).slice(0, 4)))
}

/** A public key as a strkey. @see SEP-23 */
export function stellarAddress(key: Uint8Array): string {
  const payload = Uint8Array.of(6 << 3, ...key)
  const checksum = crc16(payload)
  return base32nopad.encode(Uint8Array.of(...payload, checksum & 0xff, checksum >> 8))
}

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}
