import { describe, expect, it } from 'vitest'
import { destinationOf, meantTag } from './destination.ts'

const [key, script] = ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC']
const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ripple = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY'
const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

describe('a destination', () => {
  it.each([
    ['bitcoin', 'bc1qdus0ghjhxcr3eyw4rcswlpvr8w34wpf6thexs8', 'BC1QDUS0GHJHXCR3EYW4RCSWLPVR8W34WPF6THEXS8'],
    ['bitcoin-cash', key, key.slice(12)],
    ['bitcoin-cash', key, key.toUpperCase()],
    ['bitcoin-cash', key, '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
    ['bitcoin-cash', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', script],
    ['litecoin', '3J9TzpQYLReDbfaiTY4XN3izFGMyswQgCb', 'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441'],
    ['erc-20', ethereum, ethereum.toLowerCase()],
    ['erc-20', ethereum, ethereum.replace(/[a-f]/g, (letter) => letter.toUpperCase())],
    ['trc-20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['ton', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs'],
    [
      'ton',
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
    ],
    ['hedera', '0.0.123', '0.0.123-vfmkw'],
    ['hedera', '0.0.123', '0x000000000000000000000000000000000000007b'],
    ['filecoin', 'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za', 't1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za'],
    ['zcash', 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC', 'tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte'],
    ['a network that is not known', ethereum, ethereum.toLowerCase()],
  ])('on %s is the same as %s and as %s', (network, one, other) => {
    expect(destinationOf(one, null, network)).toEqual(destinationOf(other, null, network))
  })

  it('is the same with a tag in the address and beside it', () => {
    const within = 'XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2q1qM6owqNbug8W6KV'
    expect(destinationOf(within, null, 'ripple')).toEqual(destinationOf(ripple, '495', 'ripple'))
    const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
    expect(destinationOf(muxed, null, 'stellar')).toEqual(destinationOf(stellar, '9223372036854775808', 'stellar'))
  })

  it('on a network that is not known is the same with the tag 0 and without a tag', () => {
    const on = (tag: string | null) => destinationOf(ethereum, tag, 'a network that is not known')
    expect(on('0')).toEqual(on(null))
    expect(on('7')).not.toEqual(on(null))
  })

  it.each([
    ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1bvbmseystwetqtfn5au4m4gfg7xjanvn2'],
    ['bitcoin-cash', key, 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['bitcoin-cash', key, 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['litecoin', '3J9TzpQYLReDbfaiTY4XN3izFGMyswQgCb', 'LTc1ficWPCLXX3BPdC1EJC1SdpgdQXyYxi'],
    ['ripple', ripple, 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
    ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v'],
  ])('on %s is another for %s and %s', (network, one, other) => {
    expect(destinationOf(one, null, network)).not.toEqual(destinationOf(other, null, network))
  })

  it('is read from what the network does not accept as it is written', () => {
    expect(destinationOf('1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggx', null, 'bitcoin-cash')).toEqual({
      address: '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggx',
      tag: null,
      isUnread: true,
    })
    expect(destinationOf(null, '7', 'ripple')).toEqual({ address: null, tag: '7' })
  })
})

describe('a tag', () => {
  it.each([
    ['ripple', '0012345', '12345'],
    ['ripple', '0', '0'],
    ['ripple', '000', '0'],
    ['ripple', ' 12345 ', '12345'],
    ['ripple', '12345.0', '12345'],
    ['ripple', '1.2345E4', '12345'],
    ['ripple', 'none', null],
    ['bitcoin', '0', null],
    ['bitcoin', 'None', null],
    ['bitcoin', 'null', null],
    ['bitcoin', '-', null],
    ['bitcoin', 'N/A', null],
    ['a network that is not known', '0', '0'],
    ['stellar', 'ab'.repeat(32).toUpperCase(), 'ab'.repeat(32)],
    ['stellar', 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=', 'ab'.repeat(32)],
    ['ton', 'Order 7', 'Order 7'],
    ['ton', '1e999999999', '1e999999999'],
  ])('on %s means by %s: %s', (network, tag, meant) => {
    expect(meantTag(tag, network)).toBe(meant)
  })
})
