/** How long a quote lives. The interface states 20 minutes; units and formats of its two times are not stated. */
import { quoteLifetimeMs } from '../../contract/quote.ts'

/** A `Date` header has whole seconds and the answer took a while: a reading this much over 20 minutes still means 20. */
const slackMs = 2_000

/** No quote is meant to be this short: such a reading is a creation time, or in a wrong unit. */
const shortestMs = 10_000

/**
 * The longest reading of the answer that is not above 20 minutes; 20 minutes when there is none.
 *
 * @param answer - `expTime` as digits: a duration in minutes, seconds or ms, or an epoch in seconds or ms. `dateTime` as an
 *   ISO 8601 time or such an epoch. `serviceDateMs`: the answer's `Date` header, without which no epoch can be read.
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
  if (text === null || serviceDateMs === null) return []
  const value = wholeNumber(text)
  const epochs = value === null ? [Date.parse(withZone(text))] : [value, value * 1000]
  return epochs.filter((epoch) => !Number.isNaN(epoch)).map((epoch) => epoch - serviceDateMs)
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** A time without a zone is the service's, and services use UTC. */
function withZone(text: string): string {
  const plain = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text)
  return plain ? `${plain[1]}T${plain[2]}Z` : text
}
