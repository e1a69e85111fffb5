/**
 * What both sides know of networks and assets: which names mean the same network, where a tag is needed, how many decimals
 * an asset has. An unknown network or asset is not refused here; the stricter rules simply do not apply to it.
 */

/** A network whose addresses, tags and payment codes are known to us. */
export type NetworkKind =
  | 'bitcoin'
  | 'litecoin'
  | 'dogecoin'
  | 'bitcoin-cash'
  | 'ethereum'
  | 'bnb-smart-chain'
  | 'polygon'
  | 'tron'
  | 'solana'
  | 'xrp-ledger'
  | 'stellar'
  | 'ton'
  | 'eos'
  | 'cosmos'
  | 'cardano'
  | 'monero'

/** Names as services and exchanges write them, lower case and without separators. */
const kindOfName: Readonly<Record<string, NetworkKind>> = {
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
}

const needTag: ReadonlySet<NetworkKind> = new Set(['xrp-ledger', 'stellar', 'ton', 'eos', 'cosmos'])

/** Decimals of the assets we know, by asset and, where tokens differ, by network. */
const decimalsOf: Readonly<Record<string, number>> = {
  'BTC bitcoin': 8,
  'LTC litecoin': 8,
  'DOGE dogecoin': 8,
  'BCH bitcoin-cash': 8,
  'ETH ethereum': 18,
  'BNB bnb-smart-chain': 18,
  'POL polygon': 18,
  'MATIC polygon': 18,
  'USDC ethereum': 6,
  'USDT ethereum': 6,
  'DAI ethereum': 18,
  'WBTC ethereum': 8,
  'EURC ethereum': 6,
  'USDC polygon': 6,
  'USDT polygon': 6,
  'USDC bnb-smart-chain': 18,
  'USDT bnb-smart-chain': 18,
  'TRX tron': 6,
  'USDT tron': 6,
  'USDC tron': 6,
  'SOL solana': 9,
  'USDC solana': 6,
  'USDT solana': 6,
  'XRP xrp-ledger': 6,
  'XLM stellar': 7,
  'USDC stellar': 7,
  'TON ton': 9,
  'USDT ton': 6,
  'EOS eos': 4,
  'ATOM cosmos': 6,
  'ADA cardano': 6,
  'XMR monero': 12,
}

/** The network that a service's name means, or undefined when it is not known to us: `'erc-20'` is `'ethereum'`. */
export function networkKind(network: string): NetworkKind | undefined {
  const name = network.toLowerCase().replace(/[\s_-]/g, '')
  return Object.hasOwn(kindOfName, name) ? kindOfName[name] : undefined
}

/** One name for a network, whatever the spelling: the kind when it is known to us, else the name in lower case. */
export function canonicalNetwork(network: string): string {
  return networkKind(network) ?? network.toLowerCase()
}

/** Whether two names mean the same network. */
export function sameNetwork(left: string, right: string): boolean {
  return canonicalNetwork(left) === canonicalNetwork(right)
}

/** Whether deposits on this network are told apart by a tag, so that one without it is lost. False when unknown. */
export function needsTag(network: string): boolean {
  const kind = networkKind(network)
  return kind !== undefined && needTag.has(kind)
}

/** Digits after the point that an asset has on a network, or undefined when it is not known to us. */
export function assetDecimals(asset: string, network: string): number | undefined {
  const entry = `${asset.toUpperCase()} ${networkKind(network) ?? ''}`
  return Object.hasOwn(decimalsOf, entry) ? decimalsOf[entry] : undefined
}
