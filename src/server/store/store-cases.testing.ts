/** Shared by the tests of several stores, beside `paywindow/testing`. For tests only. */
import { expect } from 'vitest'
import type { NewRecord, Store } from './store.ts'

/** A record with nothing in it. */
export const record = (key: string, more: Partial<NewRecord> = {}): NewRecord => ({
  key,
  value: '{}',
  due: [],
  labels: [],
  ...more,
})

/** Due for a look at once. */
export const look = [{ queue: 'look', atMs: 1 }]

/** Calls each method once, in this order: each works on the results of those before. */
export function everyVerb(store: Store) {
  const change = { record: record('a', { labels: ['x', 'y'], due: look }), version: 1 }
  return Object.entries({
    create: () => store.create(record('a', { labels: ['x'], due: look })),
    read: () => store.read('a'),
    readMany: () => store.readMany(['a', 'b']),
    replaceMany: () => store.replaceMany([change, { ...change, record: record('b') }]),
    replace: () => store.replace(record('a'), 2),
    reschedule: () => store.reschedule([{ key: 'a', version: 3, due: look }]),
    listDue: () => store.listDue('look', 9, 9),
    list: () => store.list('x', { limit: 9 }),
    remove: () => store.remove('a', 3),
    lease: () => store.lease('turn', 'one', 9),
    release: () => store.release('turn', 'one'),
  } satisfies Record<Exclude<keyof Store, 'close'>, () => Promise<unknown>>)
}

/** Loses the replies to a change of record `a` at version 1, and to a lease: each is done once. */
export async function expectDoneOnce(store: Store, line: { loseNext(): void }): Promise<void> {
  line.loseNext()
  await expect(store.replace(record('a', { value: 'new', labels: ['new'] }), 1)).rejects.toThrow()
  expect(await store.read('a')).toEqual({ key: 'a', value: 'new', version: 2, due: [] })
  expect(await store.replace(record('a', { value: 'new', labels: ['new'] }), 1)).toBe(false)
  line.loseNext()
  await expect(store.lease('turn', 'one', 60_000)).rejects.toThrow()
  expect(await store.lease('turn', 'two', 60_000)).toBe(false)
  expect(await store.lease('turn', 'one', 60_000)).toBe(true)
}
