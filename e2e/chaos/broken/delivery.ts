/** Mistakes in delivering events, following orders and restoring, made on purpose: the wrappers that `broken.ts` uses. */
import { asList, asRecord } from '../../../src/contract/parse.ts'
import type { StatusEvent } from '../../../src/server/options.ts'
import { checkoutKind, parseCheckoutRecord } from '../../../src/server/records/record-kinds.ts'
import { takingBackOf } from '../../../src/server/records/taking-back.ts'
import { withStatus } from '../../../src/server/records/transitions.ts'
import { oneByOne } from '../../../src/server/store/one-by-one.testing.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'
import type { Role } from '../world/plan.ts'

/** By more than a day a server would go by the service's time. */
const aheadMs = 20 * 3_600_000

/** Wraps the store: a process that cannot deliver (role `web`) stores no new events. */
export function withoutNewEvents(store: Store, role: Role): Store {
  if (role !== 'web') return store
  async function stripped(record: NewRecord): Promise<NewRecord> {
    if (!record.key.startsWith('checkout ')) return record
    const known = await store.read(record.key)
    const before = known ? parseCheckoutRecord(known.value).events.map(({ eventId }) => eventId) : []
    const checkout = parseCheckoutRecord(record.value)
    const events = checkout.events.filter(({ eventId }) => before.includes(eventId))
    return { ...record, value: JSON.stringify({ ...checkout, events }) }
  }
  return oneByOne({
    ...store,
    create: async (record) => store.create(await stripped(record)),
    replace: async (record, version) => store.replace(await stripped(record), version),
  })
}

/** Wraps the store: one unreadable record makes the whole list of due records fail. */
export function allOrNothing(store: Store): Store {
  return {
    ...store,
    listDue: async (queue, nowMs, limit) => {
      const records = await store.listDue(queue, nowMs, limit)
      for (const { value } of records) parseCheckoutRecord(value)
      return records
    },
  }
}

/** Wraps clocks: the first four that are created are 20 hours ahead, later ones are right. */
export function firstAhead(): (clock: Clock) => Clock {
  let made = 0
  return (clock) => {
    made += 1
    return made > 4 ? clock : { ...clock, now: () => clock.now() + aheadMs }
  }
}

/** Wraps the stores of all servers: leases end at a time that is set and judged by each caller's own clock. */
export function leasesByNamedTime(): (store: Store, clock: Clock) => Store {
  const leases = new Map<string, { readonly holder: string; readonly untilMs: number }>()
  const clockOf = firstAhead()
  return (store, right) => {
    const clock = clockOf(right)
    return {
      ...store,
      lease: async (name, holder, forMs) => {
        const held = leases.get(name)
        if (held && held.holder !== holder && held.untilMs > clock.now()) return false
        leases.set(name, { holder, untilMs: clock.now() + forMs })
        return true
      },
      release: async (name, holder) => {
        if (leases.get(name)?.holder === holder) leases.delete(name)
      },
    }
  }
}

/** Replaces an event's id by the number of the change in the checkout's history. */
export function counted(event: StatusEvent): StatusEvent {
  return { ...event, eventId: `${event.checkout.id}-${event.checkout.history.length - event.checkout.untoldEvents}` }
}

/** Wraps the stores of all servers: what would take a status back does so at once, in place of being held. */
export function withoutPatience(): (store: Store, clock: Clock) => Store {
  let events = 0
  const rules = {
    phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
    eventId: (id: string, status: string) => `${id}-${status}-${String(events++).padStart(12, '0')}`,
  } as const
  function changed(record: NewRecord, nowMs: number): NewRecord {
    if (!record.key.startsWith('checkout ')) return record
    const checkout = checkoutKind.parse(record)
    const held = takingBackOf(checkout)
    return held && !held.isDenied ? checkoutKind.write(withStatus(checkout, held.status, nowMs, rules)) : record
  }
  return (store, clock) =>
    oneByOne({ ...store, replace: (record, version) => store.replace(changed(record, clock.now()), version) })
}

/** Wraps the store: an unreadable record is overwritten by a record of this version, which lacks what a newer version stored. */
export function overwriting(store: Store): Store {
  return {
    ...store,
    listDue: async (queue, nowMs, limit) => {
      const records = await store.listDue(queue, nowMs, limit)
      for (const { key, value, version } of records) {
        if (isReadable(value)) continue
        await store.replace({ key, value: JSON.stringify({ v: 1, setAside: value }), due: [], labels: [] }, version)
      }
      return records.filter(({ value }) => isReadable(value))
    },
  }
}

function isReadable(value: string): boolean {
  try {
    return asList(asRecord(JSON.parse(value), 'record').events, 'events', 10_000).length >= 0 && value.includes('"v":1')
  } catch {
    return false
  }
}
