/** What several rules need. */
import assert from 'node:assert/strict'
import type { NewRecord, Store, StoredRecord } from '../server/store/store.ts'

/** A record that waits for nothing, unless more is said of it. */
export function record(key: string, more: Partial<NewRecord> = {}): NewRecord {
  return { key, value: `value of ${key}`, due: [], labels: [], ...more }
}

/** The keys, in the order of the records. */
export function keys(records: readonly { readonly key: string }[]): string[] {
  return records.map(({ key }) => key)
}

/** The keys in a set, sorted. */
export function sorted(texts: Iterable<string>): string[] {
  return [...texts].sort()
}

/** The same record, with its queues by name: a store may name them in any order. */
export function inOrder(found: StoredRecord | undefined): StoredRecord {
  assert.ok(found, 'the record is not there')
  const { key, value, version, due } = found
  return { key, value, version, due: [...due].sort((a, b) => (a.queue < b.queue ? -1 : 1)) }
}

/** Which of the queues the lists have a record in. */
export async function queuesWith(store: Store, key: string, queues: readonly string[]): Promise<string[]> {
  const found = await Promise.all(queues.map((queue) => store.listDue(queue, Number.MAX_SAFE_INTEGER, 1_000)))
  return queues.filter((_, index) => keys(found[index] ?? []).includes(key))
}
