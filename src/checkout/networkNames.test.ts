import { describe, expect, it } from 'vitest'
import { networkName, tagWord } from './networkNames.ts'

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
