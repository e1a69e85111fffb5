import { describe, expect, it } from 'vitest'
import { evmNetworks } from './evm.ts'
import {
  allNetworks,
  assetDecimals,
  canonicalNetwork,
  confusableAsset,
  networkInfo,
  sameAsset,
  sameNetwork,
  spellingsOf,
} from './table.ts'

describe('the networks', () => {
  it('have no name in common', () => {
    const names = allNetworks().flatMap(spellingsOf)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    for (const name of names) expect(name).toMatch(/^[a-z\d]+(?::\d+)?$/)
  })

  // As exchanges and payment services write them, ccxt's `networks` among others.
  it.each([
    ['base', 'base'],
    ['BASE', 'base'],
    ['eip155:8453', 'base'],
    ['arbitrum one', 'arbitrum-one'],
    ['ARBITRUM', 'arbitrum-one'],
    ['ARBONE', 'arbitrum-one'],
    ['ARBEVM', 'arbitrum-one'],
    ['avax-c', 'avalanche-c'],
    ['AVAXC', 'avalanche-c'],
    ['AVAX C-Chain', 'avalanche-c'],
    ['AVAX_CCHAIN', 'avalanche-c'],
    ['CCHAIN', 'avalanche-c'],
    ['avacchain', 'avalanche-c'],
    ['Optimism', 'optimism'],
    ['op', 'optimism'],
    ['OPTIMISM-ETH', 'optimism'],
    ['OPT', 'optimism'],
    ['MATIC', 'polygon'],
    ['Polygon PoS', 'polygon'],
    ['BEP20(BSC)', 'bnb-smart-chain'],
    ['bep-20', 'bnb-smart-chain'],
    ['BNB Smart Chain (BEP20)', 'bnb-smart-chain'],
    ['ERC-20', 'ethereum'],
    ['trc-20', 'tron'],
    ['zkSync', 'zksync-era'],
    ['ZKSYNCERA', 'zksync-era'],
    ['linea', 'linea'],
    ['celo', 'celo'],
    ['KLAY', 'kaia'],
    ['FTM', 'fantom'],
    ['xlm', 'stellar'],
    ['dot', 'polkadot'],
    ['Statemint', 'polkadot-asset-hub'],
    ['ksm', 'kusama'],
    ['hbar', 'hedera'],
    ['algo', 'algorand'],
    ['xtz', 'tezos'],
    ['zec', 'zcash'],
    ['dash', 'dash'],
    ['apt', 'aptos'],
    ['sui', 'sui'],
    ['bsv', 'bitcoin-sv'],
    ['xec', 'ecash'],
    ['fil', 'filecoin'],
    ['icp', 'internet-computer'],
    ['dfinity', 'internet-computer'],
    ['kas', 'kaspa'],
    ['strk', 'starknet'],
    ['near', 'near'],
    ['a-new-chain', 'a-new-chain'],
    ['constructor', 'constructor'],
    ['bep2', 'bep2'],
    ['cro', 'cro'],
    ['Bitcoin Network', 'bitcoin'],
    ['bitcoin/mainnet', 'bitcoin'],
    ['BTC-mainnet', 'bitcoin'],
    ['ERC-20 token', 'ethereum'],
    ['Tron Blockchain', 'tron'],
    ['BTC testnet', 'btc testnet'],
    ['network', 'network'],
  ])('%s is %s', (name, kind) => {
    expect(canonicalNetwork(name)).toBe(kind)
  })

  it('are the same under names that differ in separators and capitals, also if we do not know them', () => {
    expect(sameNetwork('New Chain', 'NEW_CHAIN')).toBe(true)
    expect(sameNetwork('BTC testnet', 'bitcoin')).toBe(false)
    expect(sameNetwork('New Chain', 'New Chain 2')).toBe(false)
  })

  it('are known by their own names and those for the screen', () => {
    for (const { kind, name } of allNetworks())
      expect([canonicalNetwork(kind), canonicalNetwork(name)]).toEqual([kind, kind])
  })

  it('reach a browser with all that it shows, as texts that it accepts', () => {
    expect(networkInfo('avaxc')).toEqual({
      networkInfo: {
        kind: 'avalanche-c',
        name: 'Avalanche C-Chain',
        exchangeName: 'AVAXC (Avalanche C-Chain)',
        tagWord: 'tag',
        needsTag: false,
        usualMinutes: 15,
      },
    })
    expect(networkInfo('a-new-chain')).toEqual({})
    for (const { name, exchangeName } of allNetworks())
      for (const text of [name, exchangeName]) expect(text).toMatch(/^[\w .()-]{2,40}$/)
  })

  it('need a tag only where they have a word for it', () => {
    for (const known of allNetworks()) if (known.needsTag) expect(known.tagWord).toBeDefined()
    expect(allNetworks().flatMap(({ kind, needsTag }) => (needsTag ? kind : []))).toEqual([
      'xrp-ledger',
      'stellar',
      'ton',
      'eos',
      'cosmos',
      'hedera',
    ])
  })
})

describe('a coin that has several names', () => {
  const renamed = allNetworks().flatMap(({ kind, coins = [] }) => (coins.length > 1 ? [{ kind, coins }] : []))

  it('is one coin on its network, with as many decimals under each', () => {
    expect(renamed.length).toBeGreaterThan(5)
    for (const { kind, coins } of renamed) {
      for (const name of coins) expect(sameAsset(name.toLowerCase(), coins[0] ?? '', kind)).toBe(true)
      expect(new Set(coins.map((name) => assetDecimals(name, kind))).size, kind).toBe(1)
    }
  })

  it.each([
    ['RNDR', 'RENDER', 'erc-20'],
    ['RENDER', 'RNDR', 'solana'],
    ['EUROC', 'EURC', 'ethereum'],
    ['BCHABC', 'BCH', 'bitcoin-cash'],
  ])('is one, too, where %s was renamed to %s on %s', (before, after, network) => {
    expect(sameAsset(before, after, network)).toBe(true)
  })

  it('is two on others, which are not told apart where no network is named', () => {
    expect(sameAsset('MATIC', 'POL', 'erc-20')).toBe(false)
    expect(confusableAsset('matic')).toBe(confusableAsset('POL'))
    expect(confusableAsset('USDC')).toBe('USDC')
  })

  it.each([
    ['FTM', 'S'],
    ['RNDR', 'RENDER'],
    ['BCHABC', 'BCH'],
    ['EUROC', 'EURC'],
  ])('%s was renamed to %s, one for one', (before, after) => {
    expect(confusableAsset(before.toLowerCase())).toBe(confusableAsset(after))
  })

  it.each([
    ['MKR', 'SKY'],
    ['LUNA', 'LUNC'],
  ])('%s and %s are not worth the same', (one, other) => {
    expect(confusableAsset(one)).not.toBe(confusableAsset(other))
  })
})

describe('decimals', () => {
  it('are a whole number up to 24 of every asset, and every network has its own coin', () => {
    for (const { decimals } of allNetworks()) {
      const counts = Object.values(decimals)
      expect(counts.length).toBeGreaterThan(0)
      for (const count of counts) expect(Number.isInteger(count) && count >= 0 && count <= 24).toBe(true)
    }
  })

  it('are 18 for the coin of every network of Ethereum\u2019s kind', () => {
    for (const [kind, [, , , coins]] of Object.entries(evmNetworks))
      for (const coin of coins.split(' ')) expect(assetDecimals(coin, kind)).toBe(18)
  })

  // Circle: 6, and 7 on Stellar; Tether: 6, and 4 on EOS; Binance-Peg: 18.
  it('of USDC, USDT and EURC are those of their issuers', () => {
    const odd = allNetworks().flatMap(({ kind, decimals }) =>
      Object.entries(decimals).flatMap(([asset, count]) =>
        ['USDC', 'USDT', 'EURC'].includes(asset) && count !== 6 ? [`${asset} ${kind} ${count}`] : [],
      ),
    )
    expect(odd).toEqual([
      'USDC bnb-smart-chain 18',
      'USDT bnb-smart-chain 18',
      'USDC opbnb 18',
      'USDT opbnb 18',
      'USDC stellar 7',
      'EURC stellar 7',
      'USDT eos 4',
    ])
    const withEuro = allNetworks().flatMap(({ kind, decimals }) => ('EURC' in decimals ? kind : []))
    expect(withEuro).toEqual(['ethereum', 'base', 'avalanche-c', 'world-chain', 'solana', 'stellar'])
  })

  it('are not known of what is not in the table', () => {
    expect(assetDecimals('SHIB', 'ethereum')).toBeUndefined()
    expect(assetDecimals('constructor', 'ethereum')).toBeUndefined()
    expect(assetDecimals('ETH', 'newchain')).toBeUndefined()
  })
})
