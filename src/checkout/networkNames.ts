/**
 * How networks are called on the screen. These are proper names, the same in every language. The token standard is part of
 * the name where exchanges ask for it, because a deposit over another network is lost.
 */
import { type NetworkKind, networkKind } from '../contract/networks.ts'

/** What the extra number or text is called on a network. */
type TagWord = 'destinationTag' | 'memo' | 'comment' | 'tag'

/** The name for the screen; that of exchanges where a withdrawal is made, most with the token standard first; the word for a tag. */
const words: Readonly<Record<NetworkKind, readonly [name: string, onExchanges: string, tag?: TagWord]>> = {
  bitcoin: ['Bitcoin', 'BTC (Bitcoin)'],
  litecoin: ['Litecoin', 'LTC (Litecoin)'],
  dogecoin: ['Dogecoin', 'DOGE (Dogecoin)'],
  'bitcoin-cash': ['Bitcoin Cash', 'BCH (Bitcoin Cash)'],
  ethereum: ['Ethereum (ERC-20)', 'ERC20 (Ethereum)'],
  'bnb-smart-chain': ['BNB Smart Chain (BEP-20)', 'BEP20 (BSC)'],
  polygon: ['Polygon', 'Polygon (POL)'],
  tron: ['Tron (TRC-20)', 'TRC20 (Tron)'],
  solana: ['Solana', 'SOL (Solana)'],
  'xrp-ledger': ['XRP Ledger', 'XRP (XRP Ledger)', 'destinationTag'],
  stellar: ['Stellar', 'XLM (Stellar)', 'memo'],
  ton: ['TON', 'TON (The Open Network)', 'comment'],
  eos: ['EOS', 'EOS', 'memo'],
  cosmos: ['Cosmos Hub', 'ATOM (Cosmos)', 'memo'],
  cardano: ['Cardano', 'ADA (Cardano)'],
  monero: ['Monero', 'XMR (Monero)'],
}

/** The name of a network for the screen; a network that is not known to us keeps the service's name. */
export function networkName(network: string): string {
  return wordsOf(network)?.[0] ?? network
}

/** The name of a network on exchanges; a network that is not known to us keeps the service's name. */
export function exchangeNetworkName(network: string): string {
  return wordsOf(network)?.[1] ?? network
}

/** The word that wallets and exchanges use for the tag on this network. */
export function tagWord(network: string): TagWord {
  return wordsOf(network)?.[2] ?? 'tag'
}

function wordsOf(network: string) {
  const kind = networkKind(network)
  return kind && words[kind]
}
