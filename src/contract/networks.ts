/**
 * What a browser knows of networks by itself: the names of those that are paid with most, for a merchant server that does not tell
 * (`NetworkInfo`). The whole table is in `networks/table.ts`; servers ask that one, and it must not get into a browser's bundle.
 */
import type { NetworkInfo } from './checkout.ts'
import type { NetworkKind } from './networks/table.ts'

// Imported from here by both sides. A bundler leaves them out of what a browser loads, as nothing there asks for them.
export { canonicalNetwork, sameNetwork } from './networks/table.ts'
export type { NetworkKind }

/** A network that a browser knows by itself. */
export type ShortKind = (typeof shortNames)[keyof typeof shortNames]

/** Names as services and exchanges write them, lower case and without separators. */
const shortNames = {
  bitcoin: 'bitcoin',
  btc: 'bitcoin',
  litecoin: 'litecoin',
  ltc: 'litecoin',
  dogecoin: 'dogecoin',
  doge: 'dogecoin',
  bitcoincash: 'bitcoin-cash',
  bch: 'bitcoin-cash',
  ethereum: 'ethereum',
  eth: 'ethereum',
  erc20: 'ethereum',
  bnbsmartchain: 'bnb-smart-chain',
  bsc: 'bnb-smart-chain',
  bep20: 'bnb-smart-chain',
  polygon: 'polygon',
  matic: 'polygon',
  tron: 'tron',
  trx: 'tron',
  trc20: 'tron',
  solana: 'solana',
  sol: 'solana',
  spl: 'solana',
  ripple: 'xrp-ledger',
  xrp: 'xrp-ledger',
  xrpl: 'xrp-ledger',
  xrpledger: 'xrp-ledger',
  stellar: 'stellar',
  xlm: 'stellar',
  ton: 'ton',
  toncoin: 'ton',
  theopennetwork: 'ton',
  eos: 'eos',
  cosmos: 'cosmos',
  cosmoshub: 'cosmos',
  atom: 'cosmos',
  cardano: 'cardano',
  ada: 'cardano',
  monero: 'monero',
  xmr: 'monero',
} as const satisfies Readonly<Record<string, NetworkKind>>

const needTag: ReadonlySet<ShortKind> = new Set(['xrp-ledger', 'stellar', 'ton', 'eos', 'cosmos'])

/** The network that a name means, as far as a browser knows it by itself. Servers ask `knownNetwork`. */
export function networkKind(network: string): ShortKind | undefined {
  const name = network.toLowerCase().replace(/[\s_-]/g, '')
  // Own keys only: `constructor` is no network.
  return Object.hasOwn(shortNames, name) ? shortNames[name as keyof typeof shortNames] : undefined
}

/** Whether deposits on this network are told apart by a tag, as far as the server tells or a browser knows by itself. */
export function needsTag(network: string, told?: NetworkInfo): boolean {
  const kind = networkKind(network)
  return told?.needsTag ?? (kind !== undefined && needTag.has(kind))
}
