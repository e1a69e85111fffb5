/**
 * Icons of the coins and networks that people know, drawn by this server: crisp at every size, and from no other host. They are named
 * like other icons, `coin-btc`.
 */
import type { NetworkInfo } from '../../../contract/checkout.ts'
import { knownNetwork, type NetworkKind, networkInfo } from '../../../contract/networks/table.ts'
import { imageAnswer } from '../../http/responses.ts'
import { marks } from './marks.ts'

type Mark = keyof typeof marks

const markOfNetwork: Readonly<Partial<Record<NetworkKind, Mark>>> = {
  bitcoin: 'btc',
  litecoin: 'ltc',
  dogecoin: 'doge',
  'bitcoin-cash': 'bch',
  'bitcoin-sv': 'bsv',
  ecash: 'xec',
  dash: 'dash',
  zcash: 'zec',
  monero: 'xmr',
  kaspa: 'kas',
  ethereum: 'eth',
  'bnb-smart-chain': 'bnb',
  polygon: 'pol',
  base: 'base',
  'arbitrum-one': 'arbitrum',
  optimism: 'optimism',
  'avalanche-c': 'avax',
  celo: 'celo',
  linea: 'linea',
  'zksync-era': 'zksync',
  tron: 'trx',
  solana: 'sol',
  'xrp-ledger': 'xrp',
  stellar: 'xlm',
  ton: 'ton',
  cardano: 'ada',
  polkadot: 'dot',
  kusama: 'ksm',
  near: 'near',
  algorand: 'algo',
  hedera: 'hbar',
  tezos: 'xtz',
  aptos: 'apt',
  sui: 'sui',
  filecoin: 'fil',
  'internet-computer': 'icp',
  starknet: 'strk',
}

/** The path of a coin's icon below the endpoint, undefined for one that is not known here. */
export function coinIcon(symbol: string): string | undefined {
  const name = symbol.toLowerCase()
  return Object.hasOwn(marks, name) ? pathOf(name) : undefined
}

/** What a browser gets of a network, with the path of its icon; to be spread into a method or a checkout. */
export function networkFields(network: string): { readonly networkInfo?: NetworkInfo } {
  const { networkInfo: info } = networkInfo(network)
  const kind = knownNetwork(network)?.kind
  const mark = kind && markOfNetwork[kind]
  return info ? { networkInfo: mark ? { ...info, icon: pathOf(mark) } : info } : {}
}

/** The icon of a name, undefined where it is none of these. */
export function drawCoin(name: string): Response | undefined {
  const mark = name.replace(/^coin-/, '')
  if (mark === name || !isMark(mark)) return undefined
  const [color, paths] = marks[mark]
  // A disc around the plane of 24 by 24, on which most marks keep 3 from each side.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 30 30"><circle cx="12" cy="12" r="15" fill="${color}"/><g fill="#fff">${paths}</g></svg>`
  return imageAnswer(svg, 'image/svg+xml')
}

function isMark(name: string): name is Mark {
  return Object.hasOwn(marks, name)
}

function pathOf(mark: string): string {
  return `icons/coin-${mark}`
}
