/**
 * How networks are called on the screen. These are proper names, the same in every language. The token standard is part of
 * the name where exchanges ask for it, because a deposit over another network is lost.
 */
import { type NetworkKind, networkKind } from '../contract/networks.ts'

/** What the extra number or text is called on a network. */
type TagWord = 'destinationTag' | 'memo' | 'comment' | 'tag'

const names: Readonly<Record<NetworkKind, string>> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  'bitcoin-cash': 'Bitcoin Cash',
  ethereum: 'Ethereum (ERC-20)',
  'bnb-smart-chain': 'BNB Smart Chain (BEP-20)',
  polygon: 'Polygon',
  tron: 'Tron (TRC-20)',
  solana: 'Solana',
  'xrp-ledger': 'XRP Ledger',
  stellar: 'Stellar',
  ton: 'TON',
  eos: 'EOS',
  cosmos: 'Cosmos Hub',
  cardano: 'Cardano',
  monero: 'Monero',
}

/** The name of a network for the screen; a network that is not known to us keeps the service's name. */
export function networkName(network: string): string {
  return nameIn(names, network)
}

function nameIn(table: Readonly<Record<NetworkKind, string>>, network: string): string {
  const kind = networkKind(network)
  return kind ? table[kind] : network
}

/** What exchanges call a network where a withdrawal is made: the token standard first, as most of them write it. */
const exchangeNames: Readonly<Record<NetworkKind, string>> = {
  bitcoin: 'BTC (Bitcoin)',
  litecoin: 'LTC (Litecoin)',
  dogecoin: 'DOGE (Dogecoin)',
  'bitcoin-cash': 'BCH (Bitcoin Cash)',
  ethereum: 'ERC20 (Ethereum)',
  'bnb-smart-chain': 'BEP20 (BSC)',
  polygon: 'Polygon (POL)',
  tron: 'TRC20 (Tron)',
  solana: 'SOL (Solana)',
  'xrp-ledger': 'XRP (XRP Ledger)',
  stellar: 'XLM (Stellar)',
  ton: 'TON (The Open Network)',
  eos: 'EOS',
  cosmos: 'ATOM (Cosmos)',
  cardano: 'ADA (Cardano)',
  monero: 'XMR (Monero)',
}

/** The name of a network on exchanges; a network that is not known to us keeps the service's name. */
export function exchangeNetworkName(network: string): string {
  return nameIn(exchangeNames, network)
}

/** The word that wallets and exchanges use for the tag on this network. */
export function tagWord(network: string): TagWord {
  switch (networkKind(network)) {
    case 'xrp-ledger':
      return 'destinationTag'
    case 'ton':
      return 'comment'
    case 'stellar':
    case 'eos':
    case 'cosmos':
      return 'memo'
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
    case 'bitcoin-cash':
    case 'ethereum':
    case 'bnb-smart-chain':
    case 'polygon':
    case 'tron':
    case 'solana':
    case 'cardano':
    case 'monero':
    case undefined:
      return 'tag'
  }
}
