/**
 * What the shop was told of each payment, and how it answered: kept for people who look into it.
 */
import { asInteger, asList, asRecord, asText } from '../contract/parse.ts'
import type { Store } from '../server/store/store.ts'
import { printable } from '../service/printable.ts'
import type { ShopEvent } from './events.ts'

/** An event that was sent to the shop, once or until the shop took it. */
export interface Told {
  readonly id: string
  readonly type: string
  /** When it was sent first and last, ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  readonly times: number
  /** Why the shop has not taken it, in words; null where it has. */
  readonly failure: string | null
}

type Tell = (id: string, event: ShopEvent) => Promise<void>

/** What is kept of one checkout. */
const mostKept = 50
const queue = 'told'
/** Longer than anybody asks. */
const keptForMs = 400 * 86_400_000
const forgottenAtOnce = 20
const longestFailure = 2_000

/** Keeps it in the store of the shop. */
export function createTold(
  store: Pick<Store, 'create' | 'read' | 'replace' | 'remove' | 'listDue'>,
  now: () => number,
) {
  const keyOf = (checkoutId: string) => `told ${checkoutId}`

  async function write(checkoutId: string, change: (before: readonly Told[]) => readonly Told[]): Promise<void> {
    const key = keyOf(checkoutId)
    // Another process may write at the same time.
    for (let tries = 1; ; tries += 1) {
      const found = await store.read(key)
      const events = change(found ? parse(found.value) : []).slice(-mostKept)
      const due = [{ queue, atMs: now() + keptForMs }]
      const record = { key, value: JSON.stringify({ v: 1, events }), due, labels: [] }
      if (found ? await store.replace(record, found.version) : await store.create(record)) break
      if (tries === 3) throw new Error('Others have written to it at the same time, three times')
    }
    for (const old of await store.listDue(queue, now(), forgottenAtOnce)) await store.remove(old.key, old.version)
  }

  return {
    /** Oldest first. */
    read: async (checkoutId: string): Promise<readonly Told[]> => {
      const found = await store.read(keyOf(checkoutId))
      return found ? parse(found.value) : []
    },
    /**
     * Keeps what `tell` does. @param report - Told where that fails: the shop is told anyway.
     */
    keeping:
      (tell: Tell, report: (error: unknown) => void): Tell =>
      async (id, event) => {
        const failure = await tell(id, event).then(
          () => null,
          (error: unknown) => ({ error }),
        )
        const words = failure && wordsOf(failure.error)
        await write(event.data.checkout, (before) => withTry(before, id, event.type, words, now())).catch(report)
        if (failure) throw failure.error
      },
  }
}

/** Names of a certificate, which the shop's server sends, can be longer than anybody reads. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error && error.message !== '' ? error.message : String(error)
  return printable(words).slice(0, longestFailure)
}

function withTry(before: readonly Told[], id: string, type: string, failure: string | null, nowMs: number) {
  const at = new Date(nowMs).toISOString()
  const known = before.find((each) => each.id === id)
  const told = { id, type, firstAt: known?.firstAt ?? at, lastAt: at, times: (known?.times ?? 0) + 1, failure }
  return known ? before.map((each) => (each === known ? told : each)) : [...before, told]
}

function parse(value: string): readonly Told[] {
  const { events } = asRecord(JSON.parse(value), 'what was told')
  return asList(events, 'events', 1_000).map((each) => {
    const { id, type, firstAt, lastAt, times, failure } = asRecord(each, 'event')
    return {
      id: asText(id, 'id'),
      type: asText(type, 'type'),
      firstAt: asText(firstAt, 'firstAt'),
      lastAt: asText(lastAt, 'lastAt'),
      times: asInteger(times, 'times'),
      failure: failure === null ? null : asText(failure, 'failure', longestFailure),
    }
  })
}
