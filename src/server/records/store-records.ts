/**
 * Two records that a store has only once: the servers that send requests to the service, and the
 * strays: orders without a checkout that the merchant was told of.
 */
import { asInteger, asList, asRecord, asText } from '../../contract/parse.ts'
import type { RecordKind } from './record-kinds.ts'

/** A server's entry, written by that server. */
export interface ServerEntry {
  /** When the entry was written, by the server's own clock, in ms since the epoch. */
  readonly atMs: number
  /** The requests that it may send in a second, in thousandths of a request. */
  readonly share: number
  /** The requests that it needs in a second. */
  readonly wants: number
  /** Ms after `atMs` for which the service refuses all requests of this account; 0: none. */
  readonly holdMs: number
}

/** An entry of another version that this version cannot read. */
export interface OtherEntry {
  readonly atMs: null
  /** The entry as it was read, to be written back unchanged. */
  readonly stored: unknown
}

/** The servers by their ids. */
export type Servers = Readonly<Record<string, ServerEntry | OtherEntry>>

/**
 * The record of all servers. If it is lost or damaged, the servers write it again within a second.
 * Fields of a newer version are kept.
 */
export const serversKind: RecordKind<{ readonly servers: Servers }> = {
  keyOf: () => 'servers',
  parse: ({ value }) =>
    orElse(serversKind.absent(''), () => {
      const record = asRecord(JSON.parse(value), 'record')
      return { ...record, servers: mapped(asRecord(record.servers, 'servers'), parseServer) }
    }),
  write: (record) => {
    const servers = mapped(record.servers, (each) => (each.atMs === null ? each.stored : each))
    return { key: 'servers', value: JSON.stringify({ v: 1, ...record, servers }), due: [], labels: [] }
  },
  absent: () => ({ servers: {} }),
}

function parseServer(stored: unknown): ServerEntry | OtherEntry {
  return orElse({ atMs: null, stored }, () => {
    const entry = asRecord(stored, 'server')
    return {
      ...entry,
      atMs: asInteger(entry.atMs, 'atMs'),
      share: asInteger(entry.share, 'share'),
      wants: asInteger(entry.wants, 'wants'),
      holdMs: asInteger(entry.holdMs, 'holdMs'),
    }
  })
}

/** What `parse` makes of a text, or this where the text is damaged. */
function orElse<Value, Other>(other: Other, parse: () => Value): Value | Other {
  try {
    return parse()
  } catch {
    return other
  }
}

function mapped<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value)]))
}

/** The ids that each list keeps: another shop on the account would make it grow for ever. */
export const mostRemembered = 2_000

/** Orders without a checkout that the merchant need not be told of again, the latest last. */
export interface Strays {
  /** When the first look was, by the service's clock; null before it. */
  readonly sinceMs: number | null
  /** Ids of unpaid orders that the merchant was told of. */
  readonly unpaid: readonly string[]
  /** Ids of paid orders that the merchant was told of, or that were paid before the first look. */
  readonly paid: readonly string[]
}

/** The record of strays. If it is damaged, it begins anew. Fields of a newer version are kept. */
export const straysKind: RecordKind<Strays> = {
  keyOf: () => 'strays',
  parse: ({ value }) =>
    orElse(straysKind.absent(''), () => {
      const record = asRecord(JSON.parse(value), 'record')
      const idsOf = (name: 'unpaid' | 'paid') => asList(record[name], name, 10_000).map((id) => asText(id, 'id'))
      return { ...record, sinceMs: asInteger(record.sinceMs, 'sinceMs'), unpaid: idsOf('unpaid'), paid: idsOf('paid') }
    }),
  write: (strays) => {
    const newest = { unpaid: strays.unpaid.slice(-mostRemembered), paid: strays.paid.slice(-mostRemembered) }
    return { key: 'strays', value: JSON.stringify({ v: 1, ...strays, ...newest }), due: [], labels: [] }
  },
  absent: () => ({ sinceMs: null, unpaid: [], paid: [] }),
}
