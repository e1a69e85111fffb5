/**
 * Decides whether two addresses or tags mean the same. A service may write them one way in its
 * answer to a creation and another way in its list. An unreadable text equals only itself.
 */
import { base64, bech32, bech32m, hex } from '@scure/base'
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { knownNetwork, type NetworkKind } from '../../contract/networks/table.ts'
import { createLru } from '../../service/lru.ts'
import { base58check } from './bytes.ts'
import { readAddress } from './formats.ts'

/** Where a deposit goes. Equal texts mean the same. They are stored: never change how they look. */
export interface Destination {
  readonly address: string | null
  readonly tag: string | null
  /** The address is shortened, or in a form that is not known here. */
  readonly isUnread?: true
}

const known = createLru<Destination>(20_000)

/** @param network - The service's name of the network. */
export function destinationOf(address: string | null, tag: string | null, network: string): Destination {
  const key = JSON.stringify([network, address, tag])
  const before = known.get(key)
  if (before) return before
  const meant = meantTag(tag, network)
  // On a network that is not known here, a payer is shown 0, and in a list it may mean none.
  const destination = read(address, meant === '0' && !knownNetwork(network) ? null : meant, network)
  known.set(key, destination)
  return destination
}

function read(address: string | null, tag: string | null, network: string): Destination {
  if (address === null) return { address, tag }
  const kind = knownNetwork(network)?.kind
  const full = inFull(address, kind)
  const { form, account = inOneCase(full), tag: inside = null } = readAddress(full, network)
  if (form === 'invalid') return { address: inOneCase(address), tag, isUnread: true }
  return { address: account, tag: tag ?? inside }
}

/** Undoes two spellings that only lists have. Payers never see them. */
function inFull(address: string, kind: NetworkKind | undefined): string {
  if (kind === 'kaspa' && !address.includes(':')) return `kaspa:${address.toLowerCase()}`
  // Tron's own nodes write the bytes of an address in hex.
  return kind === 'tron' && /^41[\da-f]{40}$/i.test(address)
    ? base58check.encode(hex.decode(address.toLowerCase()))
    : address
}

/** In hex and in bech32 the case means nothing; in base58 it is part of the address. */
function inOneCase(address: string): string {
  const lower = address.toLowerCase()
  if (/^(?:0x[\da-f]+|[\da-f]{64})$/.test(lower)) return lower
  if (address !== lower && address !== address.toUpperCase()) return address
  return (bech32.decodeUnsafe(lower, false) ?? bech32m.decodeUnsafe(lower, false)) ? lower : address
}

/** Words for no tag. */
const none = /^(?:none|null|nil|undefined|n\/a|-+)$/i

/** One text for every spelling of a number or hash; null for a tag that means none. */
export function meantTag(written: string | null, network: string): string | null {
  const tag = written?.trim()
  if (tag === undefined || none.test(tag)) return null
  if (isDecimal(tag)) {
    const number = canonicalDecimal(tag)
    const row = knownNetwork(network)
    // On a network that needs a tag, 0 is a tag.
    return number === '0' && row && !row.needsTag ? null : number
  }
  // Stellar's own nodes write 32 bytes in base64.
  if (/^[\w+/]{43}=$/.test(tag)) return hex.encode(base64.decode(tag))
  return /^[\da-f]{64}$/i.test(tag) ? tag.toLowerCase() : tag
}

/**
 * Which tags a network accepts, and words for the merchant. Plain tags are ASCII, so each character
 * is one byte. EOS and Cosmos take 256, the maximum of a plain tag.
 */
const tagRules: Readonly<Partial<Record<NetworkKind, readonly [accepts: (tag: string) => boolean, what: string]>>> = {
  // xrpl.org, source and destination tags. Some services pad numbers with leading zeros.
  'xrp-ledger': [(tag) => /^\d{1,20}$/.test(tag) && BigInt(tag) < 2n ** 32n, 'whole number up to 4294967295'],
  // developers.stellar.org, memos: a text, a number of 64 bits (20 digits), or a hash.
  stellar: [(tag) => tag.length <= 28 || isHash(tag), 'text of up to 28 bytes, number of 64 bits or hash'],
  // docs.hedera.com, limits: the memo of a transaction.
  hedera: [(tag) => tag.length <= 100, 'text of up to 100 bytes'],
  // The ledger's own transfers take a number of 64 bits, those of ICRC-1 up to 32 bytes.
  'internet-computer': [(tag) => tag.length <= 32 || isHash(tag), 'number of 64 bits or up to 32 bytes'],
}

/** The rule of the network that a tag breaks, in words; undefined if the tag is valid. */
export function tagProblem(tag: string, network: string): string | undefined {
  const kind = knownNetwork(network)?.kind
  const [accepts, what] = (kind && tagRules[kind]) ?? []
  return accepts && !accepts(tag) ? what : undefined
}

/** 32 bytes in hexadecimal or base64. */
function isHash(tag: string): boolean {
  return /^(?:[\da-fA-F]{64}|[\w+/-]{43}=?)$/.test(tag)
}
