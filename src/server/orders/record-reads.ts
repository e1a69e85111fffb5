/**
 * Reads records from the store once for all searches in the same turn of the event loop, such as
 * those that waited for one reading of the list. Nobody joins a read that has begun: its result may
 * be older than the list.
 */
import { createLru } from '../../service/lru.ts'
import type { Context } from '../context.ts'
import type { CheckoutLabel, CheckoutRecord } from '../core/types.ts'

/** Keys of one read. More would block the event loop. */
const maxKeys = 500
const maxLabels = 10_000

/** The reads of a search. */
export type RecordReads = ReturnType<typeof createRecordReads>

/** Makes no call for an empty list of ids. */
export function createRecordReads({ repository, sleep }: Context) {
  const turnEnds = () => sleep(0)
  const owners = createBatch(turnEnds, async (ids: readonly string[]) => [...(await repository.ownersOf(ids))])
  const checkouts = createBatch(turnEnds, async (ids: readonly string[]) =>
    (await repository.readCheckouts(ids)).map((checkout) => [checkout.id, checkout] as const),
  )
  const list = createTurn(turnEnds, (label: CheckoutLabel, limit) => repository.listCheckouts(label, { limit }))
  const known = createLru<true>(maxLabels)

  return {
    ownerOf: repository.ownerOf,
    hasUnreadable: repository.hasUnreadable,
    ownersOf: owners,
    readCheckouts: async (ids: readonly string[]): Promise<readonly CheckoutRecord[]> => [
      ...(await checkouts(ids)).values(),
    ],
    listCheckouts: list,
    /** Whether some checkout of this shop ever had the label. */
    isKnown: async (label: CheckoutLabel) => {
      if (known.get(label)) return true
      const isKnown = (await list(label, 1)).length > 0
      if (isKnown) known.set(label, true)
      return isKnown
    },
  }
}

/** Reads the keys of all callers in one turn together, and gives each caller its own values. */
function createBatch<Value>(
  turnEnds: () => Promise<void>,
  read: (keys: readonly string[]) => Promise<readonly (readonly [string, Value])[]>,
) {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> } | undefined

  async function readAll(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Value>> {
    await turnEnds()
    next = undefined
    const found = new Map<string, Value>()
    const all = [...keys]
    for (let at = 0; at < all.length; at += maxKeys)
      for (const [key, value] of await read(all.slice(at, at + maxKeys))) found.set(key, value)
    return found
  }

  return async (keys: readonly string[]): Promise<ReadonlyMap<string, Value>> => {
    if (keys.length === 0) return new Map()
    if (!next) {
      const wanted = new Set<string>()
      next = { keys: wanted, found: readAll(wanted) }
    }
    for (const key of keys) next.keys.add(key)
    const found = await next.found
    return new Map(keys.flatMap((key) => (found.has(key) ? [[key, found.get(key) as Value] as const] : [])))
  }
}

/** Reads each list once for all callers in one turn. */
function createTurn<Label extends string, Value>(
  turnEnds: () => Promise<void>,
  read: (label: Label, limit: number) => Promise<Value>,
) {
  const next = new Map<string, Promise<Value>>()
  return (label: Label, limit: number): Promise<Value> => {
    const name = `${limit} ${label}`
    const begin = async () => {
      await turnEnds()
      next.delete(name)
      return read(label, limit)
    }
    const reading = next.get(name) ?? begin()
    next.set(name, reading)
    return reading
  }
}
