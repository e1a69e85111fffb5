/** Icons of well-known coins and networks, drawn here. Their names are `coin-btc` and so on. */
import type { NetworkInfo } from '../../../contract/checkout.ts'
import { knownNetwork, type NetworkKind, networkInfo } from '../../../contract/networks/table.ts'
import { imageAnswer } from '../../http/exchange.ts'
import { logos } from './logos.ts'

type Logo = keyof typeof logos

// biome-ignore format: pairs need no line each
const logoOfNetwork: Readonly<Partial<Record<NetworkKind, Logo>>> = {
  bitcoin: 'btc', litecoin: 'ltc', dogecoin: 'doge', 'bitcoin-cash': 'bch', 'bitcoin-sv': 'bsv',
  ecash: 'xec', dash: 'dash', zcash: 'zec', monero: 'xmr', kaspa: 'kas', ethereum: 'eth',
  'bnb-smart-chain': 'bnb', polygon: 'pol', base: 'base', 'arbitrum-one': 'arbitrum',
  optimism: 'optimism', 'avalanche-c': 'avax', celo: 'celo', linea: 'linea', 'zksync-era': 'zksync',
  tron: 'trx', solana: 'sol', 'xrp-ledger': 'xrp', stellar: 'xlm', ton: 'ton', cardano: 'ada',
  polkadot: 'dot', kusama: 'ksm', near: 'near', algorand: 'algo', hedera: 'hbar', tezos: 'xtz',
  aptos: 'apt', sui: 'sui', filecoin: 'fil', 'internet-computer': 'icp', starknet: 'strk',
}

/** The path of a coin's icon below the endpoint; undefined for an unknown coin. */
export function coinIcon(symbol: string): string | undefined {
  const name = symbol.toLowerCase()
  return Object.hasOwn(logos, name) ? pathOf(name) : undefined
}

/** A network as browsers get it, with the path of its icon: fields of a method or a checkout. */
export function networkFields(network: string): { readonly networkInfo?: NetworkInfo } {
  const { networkInfo: info } = networkInfo(network)
  const kind = knownNetwork(network)?.kind
  const logo = kind && logoOfNetwork[kind]
  return info ? { networkInfo: logo ? { ...info, icon: pathOf(logo) } : info } : {}
}

/** The icon of this name; undefined if there is none. */
export function drawCoin(name: string): Response | undefined {
  const [, logo = ''] = /^coin-(.*)$/.exec(name) ?? []
  if (!isLogo(logo)) return undefined
  const [color, paths] = logos[logo]
  // A disc around the plane of 24 by 24, on which most logos keep 3 from each side.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 30 30"><circle cx="12" cy="12" r="15" fill="${color}"/><g fill="#fff">${paths}</g></svg>`
  return imageAnswer(svg, 'image/svg+xml')
}

function isLogo(name: string): name is Logo {
  return Object.hasOwn(logos, name)
}

function pathOf(logo: string): string {
  return `icons/coin-${logo}`
}
