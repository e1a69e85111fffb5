/** Reads times as services write them, to any number of digits. */
import { createLru } from '../../service/lru.ts'
import type { TimeWindow } from './types.ts'

/** The number of texts whose parts are kept: two for each of 15,000 orders. */
const maxRemembered = 30_000

/** The parts of a time. */
interface ServiceTime {
  /** The whole second, in ms since the epoch. A time without a zone is read as UTC. */
  readonly secondMs: number
  /** Digits after the second, without zeros at the end, which may be padding. */
  readonly fraction: string
  /** False where the text ends with the minute. */
  readonly hasSeconds: boolean
  /** Whether the text names no zone. */
  readonly isLocal: boolean
}

/** A service's time in ms since the epoch, or NaN. A time without a zone is read as UTC. */
export function serviceTimeMs(text: string | null): number {
  const time = readTime(text)
  return time ? msOf(time) : Number.NaN
}

/** Milliseconds since the epoch of a time that was read. */
export function msOf({ secondMs, fraction }: ServiceTime): number {
  return secondMs + Number(`0.${fraction || '0'}`) * 1000
}

/** The parts of a time; null where the text is no time. Results are kept: texts come up again. */
export function readTime(text: string | null): ServiceTime | null {
  if (text === null) return null
  const before = known.get(text)
  if (before) return before.time
  const time = readEpoch(text) ?? readCalendar(text) ?? readHttpDate(text)
  known.set(text, { time })
  return time
}

/** Whether a time names no zone. */
export function isLocalTime(text: string | null): boolean {
  return readTime(text)?.isLocal === true
}

/**
 * The number of digits after the second that two equal times share; 0 where the times differ in a
 * digit that both have.
 */
export function sharedDigits(left: string | null, right: string | null): number {
  const [a, b] = [readTime(left), readTime(right)]
  if (!a || !b || a.secondMs !== b.secondMs) return 0
  const digits = Math.min(a.fraction.length, b.fraction.length)
  return a.fraction.slice(0, digits) === b.fraction.slice(0, digits) ? digits : 0
}

/** Whether two windows overlap. A window that is not known overlaps every other. */
export function overlaps(rival: TimeWindow, window: TimeWindow | null): boolean {
  return window === null || (rival.fromMs <= window.toMs && rival.toMs >= window.fromMs)
}

const known = createLru<{ readonly time: ServiceTime | null }>(maxRemembered)

const exact = { hasSeconds: true, isLocal: false }

/** Seconds, ms, µs or ns since the epoch, with the digits of this century and the next. */
function readEpoch(text: string): ServiceTime | null {
  const [, seconds, more = '', fraction = ''] = /^(\d{10})(\d{3}|\d{6}|\d{9})?(?:\.(\d+))?$/.exec(text) ?? []
  return seconds === undefined
    ? null
    : { secondMs: Number(seconds) * 1_000, fraction: trimmed(more + fraction), ...exact }
}

/**
 * RFC 3339 and the variants of languages and databases: a space for the `T`, no seconds, a comma, a
 * zone without minutes or colon, in letters, or twice (Go's `+0200 CEST`, Java's
 * `+01:00[Europe/Paris]` and `Z[UTC]`).
 */
const calendar =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?(?:(Z|UTC|GMT)(?:\[.+\])?|([+-])(\d\d):?(\d\d)?(?: ?[A-Z+-][A-Z\d]*|\[.+\])?))?$/i

function readCalendar(text: string): ServiceTime | null {
  const parts = calendar.exec(text)
  if (!parts) return null
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = [1, 2, 3, 4, 5, 6, 10, 11].map((at) =>
    Number(parts[at] ?? 0),
  ) as [number, number, number, number, number, number, number, number]
  // Second 60 is a leap second, which computers do not count.
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const zoneMinutes = (zoneHour * 60 + zoneMinute) * (parts[9] === '-' ? -1 : 1)
  const secondMs = date.getTime() + ((hour * 60 + minute - zoneMinutes) * 60 + second) * 1_000
  const isLocal = parts[8] === undefined && parts[9] === undefined
  return { secondMs, fraction: trimmed(parts[7] ?? ''), hasSeconds: parts[6] !== undefined, isLocal }
}

/** The format of HTTP and mail headers. */
function readHttpDate(text: string): ServiceTime | null {
  const isOne = /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/.test(text)
  const secondMs = isOne ? Date.parse(text) : Number.NaN
  return Number.isNaN(secondMs) ? null : { secondMs, fraction: '', ...exact }
}

function trimmed(fraction: string): string {
  return fraction.replace(/0+$/, '')
}
