/** Checks tags by network. Only tags that the network cannot carry are refused; for other networks `isPlainTag` is the only rule. */
import { knownNetwork, type NetworkKind } from '../../contract/networks/table.ts'

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
