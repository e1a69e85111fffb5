import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { quoteLifeMs } from '../creation/instructions.ts'

const serviceDateMs = Date.parse('2026-11-21T10:00:00Z')
const inMs = (ms: number) => serviceDateMs + ms
const minutes = (count: number) => count * 60_000

describe('quoteLifeMs', () => {
  it.each<[string, string | null, string | null, number]>([
    ['nothing', null, null, minutes(20)],
    ['seconds', '1200', null, minutes(20)],
    ['seconds, shorter', '900', null, minutes(15)],
    ['seconds with a fraction', '600.0', null, minutes(10)],
    ['milliseconds', '1200000', null, minutes(20)],
    ['minutes', '20', null, minutes(20)],
    ['minutes, shorter', '15', null, minutes(15)],
    ['minutes, longer', '30', null, minutes(20)],
    ['seconds, the shortest', '120', null, minutes(2)],
    ['seconds, a day', '86400', null, minutes(20)],
    ['an epoch in seconds', String(inMs(minutes(18)) / 1000), null, minutes(18)],
    ['an epoch that is close', String(inMs(minutes(1)) / 1000), null, minutes(1)],
    ['an epoch in milliseconds', String(inMs(minutes(18))), null, minutes(18)],
    ['an epoch a moment over 20 minutes', String(inMs(minutes(20) + 900)), null, minutes(20)],
    ['an epoch in the past', String(inMs(-minutes(5))), null, minutes(20)],
    ['an epoch hours ahead', String(inMs(minutes(180))), null, minutes(20)],
    ['microseconds', '600000000', null, minutes(10)],
    ['nanoseconds', '600000000000', null, minutes(10)],
    ['seconds with an exponent', '6e2', null, minutes(10)],
    ['a duration of ISO 8601', 'PT10M', null, minutes(10)],
    ['a duration of ISO 8601 in seconds', 'PT600S', null, minutes(10)],
    ['a duration of ISO 8601 with a fraction', 'PT9M30.5S', null, minutes(9.5) + 500],
    ['a duration with its unit', '10m', null, minutes(10)],
    ['a duration with both units', '9m30s', null, minutes(9.5)],
    ['a duration in words', '10 minutes', null, minutes(10)],
    ['a duration in short words', '600 sec', null, minutes(10)],
    ['a duration in milliseconds', '600000ms', null, minutes(10)],
    ['a duration as a clock shows it', '00:10:00', null, minutes(10)],
    ['a duration as a clock shows it, without hours', '10:00', null, minutes(10)],
    ['zero', '0', null, minutes(20)],
    ['negative', '-5', null, minutes(20)],
    ['words', 'soon', null, minutes(20)],
    ['an expiry date', null, '2026-11-21T10:19:00Z', minutes(19)],
    ['an expiry date without a zone', null, '2026-11-21 10:19:00', minutes(19)],
    ['an expiry date with nanoseconds', null, '2026-11-21T10:19:00.000000001Z', minutes(19)],
    ['a creation date', null, '2026-11-21T10:00:00.700Z', minutes(20)],
    ['a creation date and seconds', '1200', '2026-11-21T10:00:00.700Z', minutes(20)],
    ['two times of a zone that is not known', '2026-11-21T12:10:00', '2026-11-21T12:00:00', minutes(10)],
    ['two times a day apart', '2026-11-22T12:00:00', '2026-11-21T12:00:00', minutes(20)],
    [
      'an expiry date and the date of an answer that was kept',
      '2026-11-21T10:05:00Z',
      '2026-11-21T09:45:00Z',
      minutes(5),
    ],
    ['nonsense', null, '21st of November', minutes(20)],
  ])('reads %s', (_, expTime, dateTime, expected) => {
    expect(quoteLifeMs({ expTime, dateTime, serviceDateMs })).toBe(expected)
  })

  it('reads no epoch when the answer has no date', () => {
    expect(
      quoteLifeMs({ expTime: String(inMs(minutes(5))), dateTime: '2026-11-21T10:05:00Z', serviceDateMs: null }),
    ).toBe(quoteLifetimeMs)
  })

  it('is above zero and never above 20 minutes, whatever the service says', () => {
    const text = fc.option(
      fc.oneof(
        fc.string(),
        fc.integer().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      ),
    )
    fc.assert(
      fc.property(text, text, fc.option(fc.integer()), (expTime, dateTime, date) => {
        const life = quoteLifeMs({ expTime, dateTime, serviceDateMs: date })
        expect(life).toBeGreaterThan(0)
        expect(life).toBeLessThanOrEqual(quoteLifetimeMs)
        expect(Number.isInteger(life)).toBe(true)
      }),
    )
  })
})
