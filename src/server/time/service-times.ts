/** Times as the service writes them, to any number of digits, and spans of them. */
import { LRUCache } from 'lru-cache'
import { growingTo } from '../../service/growing-to.ts'
import type { TimeWindow } from '../records/types.ts'

/** Times whose parts are remembered: of 15,000 orders, which each have two. */
const maxRemembered = 30_000

interface ServiceTime {
  /** Ms since the epoch, of the whole second. */
  readonly secondMs: number
  /** Digits after the second, without trailing zeros, which may never have been measured. */
  readonly fraction: string
}

/** Milliseconds since the epoch of a service's time, or NaN. A time without a zone is UTC. */
export function serviceTimeMs(text: string | null): number {
  const time = splitTime(text)
  return time ? time.secondMs + Number(`0.${time.fraction || '0'}`) * 1000 : Number.NaN
}

/** How many digits after the second two times have in common, when they are equal to the last digit both have; else 0. */
export function sharedDigits(left: string | null, right: string | null): number {
  const [a, b] = [splitTime(left), splitTime(right)]
  if (!a || !b || a.secondMs !== b.secondMs) return 0
  const digits = Math.min(a.fraction.length, b.fraction.length)
  return a.fraction.slice(0, digits) === b.fraction.slice(0, digits) ? digits : 0
}

/** Whether a rival may have been created in the window, which is every time where it is not known. */
export function overlaps(rival: TimeWindow, window: TimeWindow | null): boolean {
  return window === null || (rival.fromMs <= window.toMs && rival.toMs >= window.fromMs)
}

/** By their texts: orders are compared again and again, with every search and in every reading. */
const known = new LRUCache<string, { readonly time: ServiceTime | null }>(growingTo(maxRemembered))

function splitTime(text: string | null): ServiceTime | null {
  if (text === null) return null
  const before = known.get(text)
  if (before) return before.time
  const time = splitText(text)
  known.set(text, { time })
  return time
}

function splitText(text: string): ServiceTime | null {
  const match = /^(.+:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  const secondMs = match ? Date.parse(`${match[1]?.replace(' ', 'T')}${match[3] ?? 'Z'}`) : Number.NaN
  return Number.isNaN(secondMs) ? null : { secondMs, fraction: (match?.[2] ?? '').replace(/0+$/, '') }
}
