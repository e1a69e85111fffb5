/**
 * How networks are called on the screen. These are proper names, the same in every language. The token standard is part of
 * the name where exchanges ask for it, because a deposit over another network is lost.
 */
import type { NetworkInfo } from '../contract/checkout.ts'
import type { TagWord } from '../contract/networks/row.ts'
import { networkKind, type ShortKind } from '../contract/networks.ts'

/** The name for the screen; that of exchanges where a withdrawal is made, most with the token standard first; the word for a tag. */
const words: Readonly<Record<ShortKind, readonly [name: string, onExchanges: string, tag?: TagWord]>> = {
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

/** The name of a network for the screen: as the merchant server tells it, else our own; one that is not known keeps the service's. */
export function networkName(network: string, told?: NetworkInfo): string {
  return told?.name ?? wordsOf(network)?.[0] ?? network
}

/** The name of a network on exchanges, found likewise. */
export function exchangeNetworkName(network: string, told?: NetworkInfo): string {
  return told?.exchangeName ?? wordsOf(network)?.[1] ?? network
}

/** The word that wallets and exchanges use for the tag on this network, found likewise. */
export function tagWord(network: string, told?: NetworkInfo): TagWord {
  return told?.tagWord ?? wordsOf(network)?.[2] ?? 'tag'
}

function wordsOf(network: string) {
  const kind = networkKind(network)
  return kind && words[kind]
}
