import { expect, it } from 'vitest'
import { networkInfo } from '../contract/networks/table.ts'
import { exchangeNetworkName, networkName, tagWord } from './network-names.ts'

it.each([
  ['bitcoin', 'Bitcoin', 'BTC (Bitcoin)', 'tag'],
  ['XBT', 'Bitcoin', 'BTC (Bitcoin)', 'tag'],
  ['erc-20', 'Ethereum (ERC-20)', 'ERC20 (Ethereum)', 'tag'],
  ['TRC20', 'Tron (TRC-20)', 'TRC20 (Tron)', 'tag'],
  ['ripple', 'XRP Ledger', 'XRP (XRP Ledger)', 'destinationTag'],
  ['stellar', 'Stellar', 'XLM (Stellar)', 'memo'],
  ['ton', 'TON', 'TON (The Open Network)', 'comment'],
  ['avaxc', 'Avalanche C-Chain', 'AVAXC (Avalanche C-Chain)', 'tag'],
  ['base', 'Base', 'BASE', 'tag'],
  ['hbar', 'Hedera', 'HBAR (Hedera)', 'memo'],
  ['some-new-chain', 'some-new-chain', 'some-new-chain', 'tag'],
])('%s is called what the merchant server says', (network, name, exchangeName, word) => {
  const { networkInfo: told } = networkInfo(network)
  expect([networkName(network, told), exchangeNetworkName(network, told), tagWord(told)]).toEqual([
    name,
    exchangeName,
    word,
  ])
})
