/** The rules for tags in the networks' own documents, written here once more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainTag } from '../../contract/checkout.ts'
import { allNetworks } from '../../contract/networks/table.ts'
import { tagProblem } from './destination.ts'

const plain = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./'), minLength, maxLength })
const whole = (most: bigint, least = 0n) => fc.bigInt({ min: least, max: most }).map(String)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hex = hash.map((bytes) => Buffer.from(bytes).toString('hex'))
const base64 = hash.map((bytes) => Buffer.from(bytes).toString('base64'))

describe('a tag', () => {
  it.each([
    ['ripple', whole(2n ** 32n - 1n)],
    ['xlm', plain(1, 28)],
    ['stellar', whole(2n ** 64n - 1n)],
    ['stellar', fc.oneof(hex, base64)],
    ['hbar', plain(1, 100)],
    ['icp', whole(2n ** 64n - 1n)],
    ['icp', plain(1, 32)],
    ['atom', plain(1, 256)],
    ['eos', plain(1, 256)],
    ['ton', plain(1, 256)],
    ['algo', plain(1, 256)],
    ['new-chain', plain(1, 256)],
  ])('of %s is taken as far as the network goes', (network, tags) => {
    fc.assert(
      fc.property(tags, (tag) => {
        expect([isPlainTag(tag), tagProblem(tag, network)]).toEqual([true, undefined])
      }),
    )
  })

  it.each([
    ['XRP Ledger', whole(2n ** 70n, 2n ** 32n)],
    ['xrp', plain(1, 20).filter((text) => /\D/.test(text))],
    ['stellar', plain(65, 256)],
    ['hedera', plain(101, 256)],
    ['internet computer', plain(65, 256)],
  ])('of %s is refused where the network ends', (network, tags) => {
    fc.assert(
      fc.property(tags, (tag) => {
        expect(tagProblem(tag, network)).toBeTypeOf('string')
      }),
    )
  })

  it('has a rule only where a network has tags', () => {
    for (const { kind, tagWord } of allNetworks())
      if (tagWord === undefined) expect(tagProblem('x'.repeat(256), kind)).toBeUndefined()
  })
})
