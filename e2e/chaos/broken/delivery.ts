/** Rules of telling, following and restoring that are broken on purpose: parts of the world that `broken.ts` names. */
import { asList, asRecord } from '../../../src/contract/parse.ts'
import type { StatusEvent } from '../../../src/server/options.ts'
import { parseCheckoutRecord } from '../../../src/server/records/parsers.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'
import type { Role } from '../world/servers.ts'

const dayMs = 86_400_000

/** A process that has nobody to tell stores no events. */
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
  return {
    ...store,
    create: async (record) => store.create(await stripped(record)),
    replace: async (record, version) => store.replace(await stripped(record), version),
  }
}

/** One record of a list that cannot be read is the end of the list. */
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

/** The first servers of a segment have clocks that are a day ahead, the later ones have right ones. */
export function firstAhead(): (clock: Clock) => Clock {
  let made = 0
  return (clock) => {
    made += 1
    return made > 4 ? clock : { ...clock, now: () => clock.now() + dayMs }
  }
}

/** Leases until a time that the caller names by its own clock. One memory for all servers. */
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

/** Names a change by its number. */
export function counted(event: StatusEvent): StatusEvent {
  return { ...event, eventId: `${event.checkout.id}-${event.checkout.history.length - event.checkout.untoldEvents}` }
}

/** What is written over what cannot be read: a whole record of this version, without what the newer one knew. */
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
