/**
 * Records of which a store has one: the servers that send requests to the service now, and the orders
 * without a checkout that the merchant was told of.
 */
import { asInteger, asList, asRecord, asText } from '../../contract/parse.ts'
import type { RecordKind } from './record-kinds.ts'

/** A server, as it wrote itself into the record. */
export interface ServerEntry {
  /** When it wrote this, by its own clock, ms since the epoch. Another one with each write. */
  readonly atMs: number
  /** Thousandths of a request that it may send in a second. */
  readonly share: number
  /** Requests that it would send in a second. */
  readonly wants: number
  /** For how long after `atMs` the service wants no requests of this account, in ms; 0: it said nothing of that. */
  readonly holdMs: number
}

/** An entry of another version, in a form that this one cannot read. */
export interface OtherEntry {
  readonly atMs: null
  /** As it was read; it is written back like that. */
  readonly stored: unknown
}

/** The servers by ids of their own. */
export type Servers = Readonly<Record<string, ServerEntry | OtherEntry>>

interface ServersRecord {
  readonly servers: Servers
}

/** The only record of its kind. Lost or damaged, it is written anew within a second. What a newer version has added to it stays. */
export const serversKind: RecordKind<ServersRecord> = {
  keyOf: () => 'servers',
  parse: ({ value }) => parseServers(value) ?? serversKind.absent(''),
  write: (record) => {
    const servers = mapped(record.servers, (each) => (each.atMs === null ? each.stored : each))
    return { key: 'servers', value: JSON.stringify({ v: 1, ...record, servers }), due: [], labels: [] }
  },
  absent: () => ({ servers: {} }),
}

/** Undefined where it is damaged: nothing in it lasts, so nothing of it need be kept. */
function parseServers(text: string): ServersRecord | undefined {
  try {
    const record = asRecord(JSON.parse(text), 'record')
    return { ...record, servers: mapped(asRecord(record.servers, 'servers'), parseServer) }
  } catch {
    return undefined
  }
}

function parseServer(stored: unknown): ServerEntry | OtherEntry {
  try {
    const entry = asRecord(stored, 'server')
    return {
      ...entry,
      atMs: asInteger(entry.atMs, 'atMs'),
      share: asInteger(entry.share, 'share'),
      wants: asInteger(entry.wants, 'wants'),
      holdMs: asInteger(entry.holdMs, 'holdMs'),
    }
  } catch {
    return { atMs: null, stored }
  }
}

function mapped<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value)]))
}

/** The newest that are remembered of each kind: where another shop makes orders on the same account, they never end. */
export const mostRemembered = 2_000

/** Since when such orders are looked for, and the ids of those that the merchant was told of, the last told last. */
export interface Strays {
  /** By the service's clock; null before the first look. */
  readonly sinceMs: number | null
  readonly unpaid: readonly string[]
  /** And of those that were paid before the first look. */
  readonly paid: readonly string[]
}

/** The only record of its kind. Damaged, it begins anew. What a newer version has added to it stays. */
export const straysKind: RecordKind<Strays> = {
  keyOf: () => 'strays',
  parse: ({ value }) => parseStrays(value) ?? straysKind.absent(''),
  write: (strays) => {
    const newest = { unpaid: strays.unpaid.slice(-mostRemembered), paid: strays.paid.slice(-mostRemembered) }
    return { key: 'strays', value: JSON.stringify({ v: 1, ...strays, ...newest }), due: [], labels: [] }
  },
  absent: () => ({ sinceMs: null, unpaid: [], paid: [] }),
}

function parseStrays(text: string): Strays | undefined {
  try {
    const record = asRecord(JSON.parse(text), 'record')
    const idsOf = (name: 'unpaid' | 'paid') => asList(record[name], name, 10_000).map((id) => asText(id, 'id'))
    return { ...record, sinceMs: asInteger(record.sinceMs, 'sinceMs'), unpaid: idsOf('unpaid'), paid: idsOf('paid') }
  } catch {
    return undefined
  }
}
