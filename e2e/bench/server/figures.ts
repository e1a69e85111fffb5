/** The figures of each part. The tables, the limits and the arithmetic are made of them. */

/** Times in the unit that the name of the field says. `last` is the longest. */
export interface Times {
  readonly count: number
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly last: number
}

/** A row of the polls. */
export interface PollFigures {
  readonly name: string
  readonly orders: number
  readonly browsers: number
  readonly seconds: number
  /** Answered until a second after the last was due, for each second. */
  readonly perSecond: number
  readonly answerMs: Times
  readonly errors: ReadonlyMap<string, number>
  /** The share that was answered with 304. */
  readonly unchanged: number
  readonly perRequest: number
  readonly pagesPerSecond: number
  readonly stallMs: number
  readonly stall99Ms: number
  readonly longestSqlMs: number
  readonly memoryMb: number
  readonly diskMb: number
  /** All that the process did, for each poll. */
  readonly callsEach: number
  readonly readsEach: number
  readonly statementsEach: number
  readonly transactionsPerSecond: number
  /** Number of paid orders, and their age when a poll and when `onStatusChange` said so. */
  readonly paid: number
  readonly shownSeconds: Times
  readonly toldSeconds: Times
}

/** One payment of many orders at a random moment, without browsers. */
export interface ToldFigures {
  /** Requests a second that the service answers. Null: no limit. */
  readonly perSecond: number | null
  /** How long after the watcher began. */
  readonly afterSeconds: number
  readonly paid: number
  readonly toldSeconds: Times
  /** The least possible: all pages of the list at the service's limit; null without a limit. */
  readonly leastSeconds: number | null
  readonly pages: number
}

/** Creations of one kind, with what they took beyond an idle server. */
export interface CreationFigures {
  readonly name: string
  readonly isProved: boolean
  readonly perSecond: number
  /** Beyond the time that the service waits before it answers. */
  readonly beyondMs: Times
  readonly errors: ReadonlyMap<string, number>
  readonly requestsEach: number
  /** Requests of an idle server in that time included. */
  readonly allRequestsEach: number
  readonly callsEach: number
  readonly statementsEach: number
  readonly transactionsEach: number
  /** Time of the event loop. */
  readonly busyMsEach: number
  /** Open checkouts, and how long the event loop worked in a second while nobody came. */
  readonly open: number
  readonly idleBusyMsPerSecond: number
  /** Until all were bound after the last was created, or until nobody waited any longer. */
  readonly boundSeconds: number
  readonly unbound: number
  /** Orders of the same millisecond, for which a time is no proof. */
  readonly alike: number
}

/** A file with many checkouts that were paid long ago. */
export interface FinishedFigures {
  readonly finished: number
  readonly open: number
  readonly seedMb: number
  readonly startMs: number
  /** Of that, until Node and the code were loaded. */
  readonly loadMs: number
  readonly stallMs: number
  readonly stall99Ms: number
  readonly longestSqlMs: number
  /** Time that the event loop worked in a second. */
  readonly busyMsPerSecond: number
  readonly memoryMb: number
  readonly details: number
  readonly pages: number
  /** Checkouts archived in one round, of which there is one each minute. */
  readonly archivedPerMinute: number
  /** Reading a checkout as the sweep does, in ms. */
  readonly sweepMsEach: number
}

/** Bytes on disk around archiving. */
export interface ArchiveFigures {
  readonly count: number
  readonly archived: number
  readonly beforeMb: number
  readonly afterMb: number
}

/** A server that answers as much as it can. */
export interface MostFigures {
  readonly orders: number
  readonly perSecond: number
  readonly answerMs: Times
}

/** A shop on one kind of store. */
export interface StoreFigures {
  readonly name: string
  readonly polls: PollFigures
  readonly creations: CreationFigures
}

/** What a process of `paywindow serve` has, in MB of 1,000,000 bytes. */
export interface Held {
  readonly memoryMb: number
  /** The most that was seen since its start, once a second. */
  readonly mostMemoryMb: number
  readonly diskMb: number
}

/** Payment links that were asked for by HTTP. */
export interface LinkFigures {
  /** Different ones. */
  readonly made: number
  readonly perSecond: number
  readonly answerMs: Times
  readonly errors: ReadonlyMap<string, number>
  readonly before: Held
  readonly after: Held
}

/** Payments that were told to a shop by HTTP. */
export interface EventFigures {
  readonly name: string
  readonly paid: number
  /** From the first payment until the last event came. Endless if one is missing. */
  readonly seconds: number
  readonly perMinute: number
  /** From a payment, and from when the server knew of it, to its event. */
  readonly toldSeconds: Times
  readonly knownSeconds: Times
  readonly missing: number
  readonly repeated: number
  /** Events that the library refused, or of something else than these payments. */
  readonly foreign: number
  readonly before: Held
  readonly after: Held
}

/** Everything; empty where a part was not run. */
export interface Figures {
  readonly polls: readonly PollFigures[]
  readonly told: readonly ToldFigures[]
  readonly creations: readonly CreationFigures[]
  readonly finished: readonly FinishedFigures[]
  readonly archive: readonly ArchiveFigures[]
  readonly most: readonly MostFigures[]
  readonly stores: readonly StoreFigures[]
  readonly links: readonly LinkFigures[]
  readonly events: readonly EventFigures[]
}

/** Nothing yet. */
export const noFigures: Figures = {
  polls: [],
  told: [],
  creations: [],
  finished: [],
  archive: [],
  most: [],
  stores: [],
  links: [],
  events: [],
}

/** @param values - In any unit. @param count - Expected ones; missing ones count as endless. */
export function timesOf(values: readonly number[], count = values.length): Times {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) =>
    count === 0 ? Number.NaN : (sorted[Math.min(count - 1, Math.floor(count * share))] ?? Number.POSITIVE_INFINITY)
  return { count: values.length, median: at(0.5), p95: at(0.95), p99: at(0.99), last: at(1) }
}

/** A time in seconds, or that it is not known because some never came. */
export function secondsText(seconds: number): string {
  return seconds === Number.POSITIVE_INFINITY ? 'not all' : seconds.toFixed(1)
}

/** The errors in words, or 0. */
export function errorText(errors: ReadonlyMap<string, number>): string {
  return [...errors].map(([what, many]) => `${many} ${what}`).join(', ') || '0'
}
