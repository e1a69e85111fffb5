/** How long a quote lives. The interface states 20 minutes; units and formats of its two times are not stated. */
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { serviceTimeMs } from './service-times.ts'

/** A `Date` header has whole seconds and the answer took a while: a reading this much over 20 minutes still means 20. */
const slackMs = 2_000

/** No quote is meant to be this short: such a reading is a creation time, or in a wrong unit. */
const shortestMs = 10_000

/**
 * The longest reading of the answer that is not above 20 minutes; 20 minutes when there is none.
 *
 * @param answer - `expTime`: a duration in minutes, seconds or ms, or a time. `dateTime`: a time. `serviceDateMs`: the answer's `Date` header, without which no epoch can be read.
 * @returns Milliseconds from when the request was sent, above 0 and at most `quoteLifetimeMs`.
 */
export function quoteLifeMs(answer: {
  expTime: string | null
  dateTime: string | null
  serviceDateMs: number | null
}): number {
  const readings = [
    ...durations(answer.expTime),
    ...instants(answer.expTime, answer.serviceDateMs),
    ...instants(answer.dateTime, answer.serviceDateMs),
  ]
  const possible = readings.filter((reading) => reading >= shortestMs && reading <= quoteLifetimeMs + slackMs)
  return possible.length === 0 ? quoteLifetimeMs : Math.min(quoteLifetimeMs, Math.floor(Math.max(...possible)))
}

function durations(text: string | null): number[] {
  const value = wholeNumber(text)
  return value === null ? [] : [value, value * 1000, value * 60_000]
}

function instants(text: string | null, serviceDateMs: number | null): number[] {
  const atMs = serviceTimeMs(text)
  return serviceDateMs === null || Number.isNaN(atMs) ? [] : [atMs - serviceDateMs]
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
