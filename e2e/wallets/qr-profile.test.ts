/** Codes read back by the parsers of others, so builder and test cannot share a misreading. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Payment } from '../../src/checkout/payment-uri.ts'
import { qrProfile } from '../../src/checkout/qr-profile.ts'
import { allNetworks } from '../../src/contract/networks/table.ts'
import { xrpAddress } from '../../src/sandbox/encodings.ts'
import { key20, type UriForm, uint, uriForms } from './uri-forms.ts'
import { readXrp } from './uri-readers.ts'

it('every network whose code can hold more than an address or a tag is read here', () => {
  const built = allNetworks().filter((known) =>
    Object.keys(known.decimals).some((asset) =>
      uriOf({ asset, networkInfo: known, address: 'ADDRESS', amount: '1', tag: '1' }),
    ),
  )
  expect(built.map(({ kind }) => kind).sort()).toEqual(uriForms.map(({ network }) => network).sort())
})

describe.each(uriForms)('the code for $asset', (form) => {
  it('gives back the address, the exact amount and the tag', () => {
    fc.assert(
      fc.property(paymentIn(form), ({ payment, found }) => {
        expect(form.read(uriOf(payment) ?? '')).toEqual(found)
      }),
      { numRuns: 500 },
    )
  })

  it('has its amount in plain digits, with no more decimals than the asset has', () => {
    const decimals = form.unit === 'coin' ? form.decimals : 0
    fc.assert(
      fc.property(paymentIn(form), ({ payment }) => {
        const text = uriOf(payment) ?? ''
        const amounts = [...text.matchAll(/[?&](?:amount|tx_amount|value)=([^&]*)/g)].map(([, amount]) => amount ?? '')
        expect(text).toMatch(/^[!-~]+$/)
        expect(amounts).toHaveLength(form.unit === 'none' ? 0 : 1)
        for (const amount of amounts) {
          expect(amount).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
          expect(amount.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals)
        }
      }),
    )
  })

  it('can be switched to the address and to the tag alone, as they were given', () => {
    fc.assert(
      fc.property(paymentIn(form), ({ payment }) => {
        const texts = qrProfile(payment).choices.map(({ content, text }) => [content, text])
        expect(texts).toContainEqual(['address', payment.address])
        if (payment.tag !== null) expect(texts).toContainEqual(['tag', payment.tag])
      }),
    )
  })
})

it('the address and the tag of XRP are known for what they are when they are scanned alone', () => {
  fc.assert(
    fc.property(key20.map(xrpAddress), uint(32), (address, tag) => {
      expect(readXrp('XrplDestination', address)).toEqual({ to: address })
      expect(readXrp('XrplDestinationTag', tag)).toEqual({ tag: Number(tag) })
    }),
  )
})

/** A payment in this form, in each spelling of a service, with the values to find in its text. */
function paymentIn({ asset, network, decimals, unit, mostAtomic, address, tag }: UriForm) {
  const atomic = fc.oneof(
    fc.bigInt({ min: 1n, max: 999n }),
    fc.bigInt({ min: 1n, max: 10n ** BigInt(decimals) }),
    fc.bigInt({ min: 2n ** 53n, max: mostAtomic }),
    fc.tuple(fc.bigInt({ min: 1n, max: 999n }), fc.nat(decimals + 3)).map(([few, zeros]) => few * 10n ** BigInt(zeros)),
  )
  return fc.tuple(address, atomic, tag, fc.nat(2)).map(([[given, found], count, tag, spelling]) => {
    // Written here once more, apart from src/contract/decimal.ts.
    const digits = String(count).padStart(decimals + 1, '0')
    const padded = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
    const plain = padded.replace(/\.?0+$/, '')
    const amount = [plain, padded, `${count}e-${decimals}`][spelling] ?? plain
    const written = { coin: plain, atomic: String(count), none: null }[unit]
    return {
      payment: { asset, networkInfo: { kind: network }, address: given, amount, tag },
      found: { address: found, amount: written, tag },
    }
  })
}

/** The text that holds more than the address or the tag. */
function uriOf(payment: Payment): string | undefined {
  return qrProfile(payment).choices.find(({ content }) => content === 'amount' || content === 'addressAndTag')?.text
}
