/** The cost of the merchant's process: store calls, statements, the event loop, memory, disk. */
import { statSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import type { NewRecord, Replacement, Store } from '../../../src/server/store/store.ts'
import { storeAround } from '../../../src/testing/store-around.testing.ts'
import type { StorePlace } from '../../stores/open-store.ts'
import type { MerchantCount } from './messages.ts'
import type { Statements } from './statements.ts'

/** The event loop is sampled this often, so so much of a sample is no stall. */
const sampleMs = 5
const memoryEveryMs = 200

/** What the process took since the last call of `count`. */
export type Taken = Omit<MerchantCount, 'paidAtMs' | 'errors'>

/** Counts from now on. */
export function createCounting(place: StorePlace, statements: Statements) {
  const calls: Record<string, number> = {}
  const delay = monitorEventLoopDelay({ resolution: sampleMs })
  let archived = 0
  let memory = 0
  let loop = performance.eventLoopUtilization()
  delay.enable()
  const noteMemory = () => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }
  setInterval(noteMemory, memoryEveryMs).unref()

  function reset(): void {
    for (const name of Object.keys(calls)) calls[name] = 0
    statements.reset()
    delay.reset()
    archived = 0
    memory = 0
    loop = performance.eventLoopUtilization()
  }

  return {
    /** The store, with each call counted by its name. */
    counted: (store: Store): Store =>
      storeAround(store, (name, call, values) => {
        calls[name] = (calls[name] ?? 0) + 1
        archived += archivedIn(name, values)
        return call()
      }),
    /** The same store for the bench's own reads, which are not counted. */
    uncounted: (store: Store): Store => storeAround(store, (_, call) => statements.uncounted(call)),
    archived: () => archived,
    count: (): Taken => {
      noteMemory()
      const taken = {
        stallMs: beyondSample(delay.max),
        stall99Ms: beyondSample(delay.percentile(99)),
        busyMs: performance.eventLoopUtilization(loop).active,
        memoryMb: memory / 1e6,
        diskMb: bytesIn(place) / 1e6,
        store: { ...calls },
        ...statements.count(),
        archived,
      }
      reset()
      return taken
    },
  }
}

/** Writes SQLite's log into its file, so that sizes before and after can be compared. */
export function emptyLog(place: StorePlace): void {
  if (place.kind !== 'sqlite') throw new Error(`The bench cannot empty the log of ${place.kind}`)
  const database = new DatabaseSync(place.path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function beyondSample(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - sampleMs)
}

/** The store's file with its log; 0 where it has none. */
export function bytesIn(place: StorePlace): number {
  return place.kind === 'sqlite' ? ['', '-wal'].reduce((sum, end) => sum + bytesOf(`${place.path}${end}`), 0) : 0
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function archivedIn(name: keyof Store, [first]: readonly unknown[]): number {
  if (name === 'replace') return (first as NewRecord).isArchived ? 1 : 0
  if (name !== 'replaceMany') return 0
  return (first as readonly Replacement[]).filter(({ record }) => record.isArchived).length
}
