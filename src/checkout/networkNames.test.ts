import { describe, expect, it } from 'vitest'
import { networkInfo } from '../contract/networks/table.ts'
import { exchangeNetworkName, networkName, tagWord } from './networkNames.ts'

describe('networkName', () => {
  it.each([
    ['bitcoin', 'Bitcoin'],
    ['erc-20', 'Ethereum (ERC-20)'],
    ['TRC20', 'Tron (TRC-20)'],
    ['ripple', 'XRP Ledger'],
    ['some-new-chain', 'some-new-chain'],
  ])('%s: %s', (network, name) => {
    expect(networkName(network)).toBe(name)
  })
})

describe('tagWord', () => {
  it.each([
    ['ripple', 'destinationTag'],
    ['stellar', 'memo'],
    ['ton', 'comment'],
    ['cosmos', 'memo'],
    ['some-new-chain', 'tag'],
  ])('%s: %s', (network, word) => {
    expect(tagWord(network)).toBe(word)
  })
})

describe('what the merchant server tells', () => {
  it.each([
    ['avaxc', 'Avalanche C-Chain', 'AVAXC (Avalanche C-Chain)', 'tag'],
    ['base', 'Base', 'BASE', 'tag'],
    ['hbar', 'Hedera', 'HBAR (Hedera)', 'memo'],
    ['XBT', 'Bitcoin', 'BTC (Bitcoin)', 'tag'],
    ['some-new-chain', 'some-new-chain', 'some-new-chain', 'tag'],
  ])('of %s is shown', (network, name, exchangeName, word) => {
    const { networkInfo: told } = networkInfo(network)
    expect([networkName(network, told), exchangeNetworkName(network, told), tagWord(network, told)]).toEqual([
      name,
      exchangeName,
      word,
    ])
  })

  it.each([
    'bitcoin',
    'erc-20',
    'bsc',
    'polygon',
    'trc20',
    'ripple',
    'stellar',
    'ton',
    'eos',
    'cosmos',
    'cardano',
    'monero',
  ])('of %s is what a browser knows by itself', (network) => {
    const { networkInfo: told } = networkInfo(network)
    expect([told?.name, told?.exchangeName, told?.tagWord]).toEqual([
      networkName(network),
      exchangeNetworkName(network),
      tagWord(network),
    ])
  })
})
