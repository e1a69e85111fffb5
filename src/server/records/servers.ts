/** The servers that send requests to the service now: one record, in which each says what it may send and what it was told. */
import { asInteger, asRecord } from '../../contract/parse.ts'
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

/** The servers by ids of their own. */
export type Servers = Readonly<Record<string, ServerEntry>>

/** The only record of its kind. Lost or not readable, it is written anew within a second. */
export const serversKind: RecordKind<Servers> = {
  keyOf: () => 'servers',
  parse: ({ value }) => parseServers(value) ?? {},
  write: (servers) => ({ key: 'servers', value: JSON.stringify({ v: 1, servers }), due: [], labels: [] }),
  absent: () => ({}),
}

/** Undefined where it is not readable: nothing in it lasts, so it need not be kept for a version that can read it. */
function parseServers(text: string): Servers | undefined {
  try {
    const { servers } = asRecord(JSON.parse(text), 'servers')
    return Object.fromEntries(Object.entries(asRecord(servers, 'servers')).map(([id, each]) => [id, parseEntry(each)]))
  } catch {
    return undefined
  }
}

function parseEntry(value: unknown): ServerEntry {
  const entry = asRecord(value, 'server')
  return {
    atMs: asInteger(entry.atMs, 'atMs'),
    share: asInteger(entry.share, 'share'),
    wants: asInteger(entry.wants, 'wants'),
    holdMs: asInteger(entry.holdMs, 'holdMs'),
  }
}
