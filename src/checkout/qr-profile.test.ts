import { describe, expect, it } from 'vitest'
import { networkInfo } from '../contract/networks/table.ts'
import type { Payment } from './payment-uri.ts'
import { type QrContent, qrProfile } from './qr-profile.ts'

const base = { address: 'ADDRESS', amount: '1.5' }
const withTag = (asset: string, network: string, tag: string): Payment => ({
  ...base,
  asset,
  tag,
  ...networkInfo(network),
})
const plain = (asset: string, network: string): Payment => ({ ...base, asset, tag: null, ...networkInfo(network) })

describe('qrProfile', () => {
  it.each<[string, Payment, QrContent, readonly QrContent[]]>([
    ['BTC', plain('BTC', 'bitcoin'), 'amount', ['amount', 'address']],
    ['LTC', plain('LTC', 'litecoin'), 'amount', ['amount', 'address']],
    ['DOGE', plain('DOGE', 'dogecoin'), 'amount', ['amount', 'address']],
    ['BCH', plain('BCH', 'bitcoin-cash'), 'amount', ['amount', 'address']],
    ['XMR', plain('XMR', 'monero'), 'amount', ['amount', 'address']],
    ['a token on Bitcoin', plain('USDT', 'bitcoin'), 'address', ['address']],
    ['ETH', plain('ETH', 'erc-20'), 'address', ['address', 'amount']],
    ['a token on Ethereum', plain('USDC', 'erc-20'), 'address', ['address']],
    ['BNB', plain('BNB', 'bep20'), 'address', ['address']],
    ['POL', plain('POL', 'polygon'), 'address', ['address']],
    ['SOL', plain('SOL', 'solana'), 'address', ['address', 'amount']],
    ['a token on Solana', plain('USDC', 'solana'), 'address', ['address']],
    ['TRX', plain('TRX', 'tron'), 'address', ['address']],
    ['USDT on Tron', plain('USDT', 'trc20'), 'address', ['address']],
    ['XRP', withTag('XRP', 'ripple', '4087552241'), 'address', ['address', 'tag', 'addressAndTag']],
    ['XRP with a text as tag', withTag('XRP', 'ripple', 'abc'), 'address', ['address', 'tag']],
    ['XLM', withTag('XLM', 'stellar', '77'), 'address', ['address', 'tag', 'addressAndTag']],
    ['a token on Stellar', withTag('USDC', 'stellar', '77'), 'address', ['address', 'tag']],
    ['TON with a comment', withTag('TON', 'ton', 'c-1'), 'addressAndTag', ['addressAndTag', 'address', 'tag']],
    ['TON without one', plain('TON', 'ton'), 'address', ['address']],
    ['a jetton', withTag('USDT', 'ton', 'c-1'), 'address', ['address', 'tag']],
    ['ADA', plain('ADA', 'cardano'), 'address', ['address']],
    ['ATOM', withTag('ATOM', 'cosmos', '5'), 'address', ['address', 'tag']],
    ['EOS', withTag('EOS', 'eos', '5'), 'address', ['address', 'tag']],
    ['ETH on Base', plain('ETH', 'base'), 'address', ['address']],
    ['AVAX', plain('AVAX', 'avax-c'), 'address', ['address']],
    ['DOT', plain('DOT', 'dot'), 'address', ['address']],
    ['ICP', withTag('ICP', 'icp', '5'), 'address', ['address', 'tag']],
    ['HBAR', withTag('HBAR', 'hbar', '5'), 'address', ['address', 'tag']],
    ['an unknown network', withTag('NEW', 'new-chain', '0'), 'address', ['address', 'tag']],
  ])('%s', (_name, payment, first, contents) => {
    const profile = qrProfile(payment)
    expect(profile.first).toBe(first)
    expect(profile.choices.map(({ content }) => content)).toEqual(contents)
    expect(profile.choices.find(({ content }) => content === 'address')?.text).toBe('ADDRESS')
  })

  it('recognises a network only by what the merchant server says of it', () => {
    const told = { ...base, asset: 'BTC', tag: null, networkInfo: { kind: 'bitcoin' } }
    expect(qrProfile(told).first).toBe('amount')
    expect(qrProfile({ ...told, networkInfo: { kind: 'constructor' } }).first).toBe('address')
    expect(qrProfile({ ...base, asset: 'BTC', tag: null }).first).toBe('address')
  })

  it.each([
    ['ETH', 'ethereum', '0x52908400098527886E0F7030069857D2E4169EE7/transfer', null],
    ['BTC', 'bitcoin', 'bc1q@1', null],
    ['TON', 'ton', '0:8a8627861a5dd96c9db3ce0807b122da5ed473934ce7568a5b4b1c361cbb28ae', 'order'],
    ['TON', 'ton', '../EQBx', 'order'],
    ['XLM', 'stellar', 'GABC;x', '7'],
  ])('puts nothing into a URI of %s on %s that could be another part of it: %s', (asset, network, address, tag) => {
    const { choices, first } = qrProfile({ asset, address, amount: '1', tag, ...networkInfo(network) })
    expect([first, choices[0]?.text]).toEqual(['address', address])
    expect(choices.map(({ content }) => content)).not.toContain(asset === 'TON' ? 'addressAndTag' : 'amount')
    expect(choices.some(({ opensWallet }) => opensWallet)).toBe(false)
  })

  it('opens a wallet only with what is a URI', () => {
    for (const [asset, network, tag] of [
      ['BTC', 'bitcoin', null],
      ['XRP', 'ripple', '1'],
      ['TON', 'ton', 'c'],
    ] as const)
      for (const choice of qrProfile({ ...base, asset, tag, ...networkInfo(network) }).choices)
        expect(choice.opensWallet).toBe(/^[a-z+]+:/.test(choice.text))
  })

  it('loses no tag: whatever the network, a tag has a choice of its own', () => {
    for (const network of ['bitcoin', 'erc-20', 'ripple', 'stellar', 'ton', 'nowhere'])
      expect(qrProfile(withTag('XYZ', network, '0')).choices).toContainEqual({
        content: 'tag',
        text: '0',
        opensWallet: false,
      })
  })
})
