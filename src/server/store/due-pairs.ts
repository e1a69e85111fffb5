/** The queues of a record as JSON: a list of pairs `["look", 1700000000000]`. */
import type { Due } from './store.ts'

/** Writes them. */
export function dueToJson(due: readonly Due[]): string {
  return JSON.stringify(due.map(({ queue, atMs }) => [queue, atMs]))
}

/** Reads what `dueToJson`, or a database in the same form, wrote. */
export function dueFromJson(text: string): readonly Due[] {
  const pairs: readonly (readonly [queue: string, atMs: number])[] = JSON.parse(text)
  return pairs.map(([queue, atMs]) => ({ queue, atMs }))
}
