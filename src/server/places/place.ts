/**
 * When two addresses or tags mean the same: services write them in one way in the answer to a creation and in another in their lists. What cannot be
 * read means what it says.
 */
import { base58, bech32, bech32m, hex } from '@scure/base'
import { LRUCache } from 'lru-cache'
import { knownNetwork, type NetworkKind } from '../../contract/networks/table.ts'
import { growingTo } from '../../service/growing-to.ts'
import { cashAccount, stellarAccount } from './addresses/base32.ts'
import { base58check } from './addresses/bitcoin.ts'
import { addressForm, carriedTag } from './addresses/index.ts'
import { tonAccount } from './addresses/ton.ts'
import { xrpAccount } from './addresses/xrp.ts'

/** An address and a tag, in the one spelling in which equal texts mean the same. */
export interface Place {
  readonly address: string | null
  readonly tag: string | null
}

/** Networks that write one account in ways of their own. */
const accounts: Readonly<Partial<Record<NetworkKind, (address: string) => string>>> = {
  'bitcoin-cash': (address) => cashAccount(address, 'bitcoincash'),
  ecash: (address) => cashAccount(address, 'ecash'),
  litecoin: litecoinAccount,
  'xrp-ledger': xrpAccount,
  stellar: stellarAccount,
  ton: tonAccount,
  polkadot: ss58Account,
  'polkadot-asset-hub': ss58Account,
  kusama: ss58Account,
  hedera: (address) => address.toLowerCase().replace(/-.*$/, ''),
  starknet: (address) => BigInt(address).toString(16),
}

const known = new LRUCache<string, { readonly place: Place }>(growingTo(20_000))

/** @param network - The service's name of the network. */
export function placeOf(address: string | null, tag: string | null, network: string): Place {
  const key = JSON.stringify([network, address, tag])
  const before = known.get(key)
  if (before) return before.place
  const place = read(address, tag, network)
  known.set(key, { place })
  return place
}

function read(address: string | null, tag: string | null, network: string): Place {
  const kind = knownNetwork(network)?.kind
  const meant = meantTag(tag, network)
  if (address === null) return { address, tag: meant }
  const plain = withPrefix(address, kind)
  if (kind === undefined || addressForm(plain, network) === 'invalid')
    return { address: inOneCase(address), tag: meant }
  const account = accounts[kind] ?? inOneCase
  return { address: account(plain), tag: meant ?? carriedTag(plain, network) }
}

/** Forms that nobody is shown, and that a list may have. */
function withPrefix(address: string, kind: NetworkKind | undefined): string {
  if (kind === 'kaspa' && !address.includes(':')) return `kaspa:${address.toLowerCase()}`
  // Tron's own nodes write the bytes of an address in hex.
  return kind === 'tron' && /^41[\da-f]{40}$/i.test(address)
    ? base58check.encode(hex.decode(address.toLowerCase()))
    : address
}

/** Of a script, with the version byte that it shared with Bitcoin or with its own. */
function litecoinAccount(address: string): string {
  const plain = inOneCase(address)
  const bytes = plain.includes('1') && isBech32(plain) ? undefined : base58check.decode(address)
  if (bytes === undefined) return plain
  const version = { 5: 0x32, 196: 0x3a }[bytes[0] ?? 0] ?? bytes[0]
  return `${version} ${hex.encode(bytes.slice(1))}`
}

/** The key, which is the same on each chain. */
function ss58Account(address: string): string {
  return hex.encode(base58.decode(address).slice(1, 33))
}

/** In hex and in bech32 the case means nothing; in base58 it is part of the address. */
function inOneCase(address: string): string {
  const lower = address.toLowerCase()
  const isHex = /^(?:0x[\da-f]+|[\da-f]{64})$/.test(lower)
  return isHex || ((address === address.toUpperCase() || address === lower) && isBech32(lower)) ? lower : address
}

function isBech32(address: string): boolean {
  const text = address as `${string}1${string}`
  return (bech32.decodeUnsafe(text, false) ?? bech32m.decodeUnsafe(text, false)) !== undefined
}

/** Words for no tag. */
const none = /^(?:none|null|nil|undefined|n\/a|-+)$/i

/** Null where a tag only says that there is none. Numbers without their leading zeros, hashes in small letters. */
export function meantTag(tag: string | null, network: string): string | null {
  if (tag === null || none.test(tag.trim())) return null
  if (/^\d+$/.test(tag)) {
    const number = tag.replace(/^0+(?=\d)/, '')
    const row = knownNetwork(network)
    // Where deposits are told apart by numbers, 0 is one of them.
    return number === '0' && row && !row.needsTag ? null : number
  }
  return /^[\da-f]{64}$/i.test(tag) ? tag.toLowerCase() : tag
}

interface TagRule {
  readonly accepts: (tag: string) => boolean
  /** Describes the accepted tags, for the merchant. */
  readonly what: string
}

/** Plain tags are ASCII, so each character is one byte. EOS and Cosmos take 256, the maximum of a plain tag. */
const rules: Readonly<Partial<Record<NetworkKind, TagRule>>> = {
  // xrpl.org, source and destination tags.
  'xrp-ledger': { accepts: (tag) => isUnsigned(tag, 32n), what: 'whole number up to 4294967295' },
  // developers.stellar.org, memos: a text, a number of 64 bits (20 digits), or a hash.
  stellar: {
    accepts: (tag) => tag.length <= 28 || isHash(tag),
    what: 'text of up to 28 bytes, number of 64 bits or hash',
  },
  // docs.hedera.com, limits: the memo of a transaction.
  hedera: { accepts: (tag) => tag.length <= 100, what: 'text of up to 100 bytes' },
  // The ledger's own transfers take a number of 64 bits, those of ICRC-1 up to 32 bytes.
  'internet-computer': {
    accepts: (tag) => tag.length <= 32 || isHash(tag),
    what: 'number of 64 bits or up to 32 bytes',
  },
}

/** What a tag has to be on this network and is not; undefined if it is valid. */
export function tagProblem(tag: string, network: string): string | undefined {
  const kind = knownNetwork(network)?.kind
  const rule = kind && rules[kind]
  return rule && !rule.accepts(tag) ? rule.what : undefined
}

/** Some services pad numbers with leading zeros. */
function isUnsigned(tag: string, bits: bigint): boolean {
  return /^\d{1,20}$/.test(tag) && BigInt(tag) < 1n << bits
}

/** 32 bytes in hexadecimal or base64. */
function isHash(tag: string): boolean {
  return /^(?:[\da-fA-F]{64}|[\w+/-]{43}=?)$/.test(tag)
}
