import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serviceTimeMs, sharedDigits } from './service-times.ts'

const momentMs = Date.parse('2026-11-21T10:00:00.123Z')
const [second, digits] = ['2026-11-21T10:00:00', '123456']

describe('a time of the service', () => {
  it.each([
    ['RFC 3339', `${second}.${digits}Z`],
    ['RFC 3339 with an offset', `2026-11-21T12:00:00.${digits}+02:00`],
    ['an offset of minutes', `2026-11-21T15:30:00.${digits}+05:30`],
    ['small letters', `2026-11-21t10:00:00.${digits}z`],
    ['Python', `2026-11-21 10:00:00.${digits}+00:00`],
    ['Postgres', `2026-11-21 07:00:00.${digits}-03`],
    ['Go', `2026-11-21 12:00:00.${digits} +0200 CEST`],
    ['Go, a zone without a name', `2026-11-21 07:00:00.${digits} -0300 -03`],
    ['Java', `2026-11-21T11:00:00.${digits}+01:00[Europe/Paris]`],
    ['Java, in UTC', `${second}.${digits}Z[UTC]`],
    ['Ruby', `2026-11-21 10:00:00.${digits} UTC`],
    ['ISO 8601 with a comma', `${second},${digits}Z`],
    ['no zone, which is UTC', `${second}.${digits}`],
    ['seconds with a fraction', `1795255200.${digits}`],
    ['microseconds', `1795255200${digits}`],
    ['nanoseconds', `1795255200${digits}000`],
  ])('is read as %s', (_, text) => {
    expect(Math.floor(serviceTimeMs(text))).toBe(momentMs)
    expect(sharedDigits(text, `${second}.${digits}Z`)).toBe(digits.length)
  })

  it.each([
    ['milliseconds', '1795255200123', momentMs],
    ['whole seconds', '1795255200', momentMs - 123],
    ['no seconds', '2026-11-21T10:00Z', momentMs - 123],
    ['a header of HTTP', 'Sat, 21 Nov 2026 10:00:00 GMT', momentMs - 123],
    ['a header of mail', 'Sat, 21 Nov 2026 12:00:00 +0200', momentMs - 123],
    ['a leap second', '2026-11-21T09:59:60Z', momentMs - 123],
  ])('is read as %s', (_, text, expected) => {
    expect(serviceTimeMs(text)).toBe(expected)
  })

  it.each([
    ['words', 'tomorrow'],
    ['a date alone', '2026-11-21'],
    ['a day that does not exist', '2026-02-30T10:00:00Z'],
    ['an hour that does not exist', '2026-11-21T24:00:00Z'],
    ['a lifetime', '1200'],
    ['another order of its parts', '21/11/2026 10:00:00'],
    ['an offset of a day', '2026-11-21T10:00:00+24:00'],
  ])('is not read from %s', (_, text) => {
    expect(serviceTimeMs(text)).toBeNaN()
  })

  it('is what it is in every zone, and to every digit', () => {
    const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9998-12-30'), noInvalidDate: true })
    const zone = fc.integer({ min: -1_439, max: 1_439 })
    const fraction = fc.stringMatching(/^\d{0,9}$/)
    fc.assert(
      fc.property(date, zone, fraction, (moment, zoneMinutes, after) => {
        const wholeMs = Math.floor(moment.getTime() / 1_000) * 1_000
        const at = (minutes: number) => new Date(wholeMs + minutes * 60_000).toISOString().slice(0, 19)
        const dot = after === '' ? '' : `.${after}`
        const text = `${at(zoneMinutes)}${dot}${offset(zoneMinutes)}`
        expect(serviceTimeMs(text)).toBe(wholeMs + Number(`0.${after || 0}`) * 1_000)
        expect(sharedDigits(text, `${at(0)}${dot}Z`)).toBe(after.replace(/0+$/, '').length)
      }),
    )
  })
})

function offset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
