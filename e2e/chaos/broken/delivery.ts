/** Mistakes in storing changes, delivering events and restoring, made on purpose. */
import { asList, asRecord } from '../../../src/contract/parse.ts'
import { withStatus } from '../../../src/server/core/transitions.ts'
import type { StatusEvent } from '../../../src/server/options.ts'
import { checkoutKind, parseCheckoutRecord } from '../../../src/server/records/record-kinds.ts'
import { oneByOne } from '../../../src/server/store/one-by-one.testing.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'
import { unbroken } from '../world/breakage.ts'
import { faultKinds } from '../world/faults.ts'
import type { Role, SegmentPlan } from '../world/plan.ts'
import { manyCarts, type Variant } from './variant.ts'

/** For mistakes that need all servers to be started again at the end, with other clocks. */
const restarted: Partial<SegmentPlan> = { restores: true, failsOver: false }

/** For mistakes that end with their process. */
const crashes = faultKinds.filter((kind) => kind.includes('crash'))

/** Variants with a mistake in storing or delivering. */
export const deliveryVariants = {
  noVersions: {
    what: 'has a store that writes over newer versions',
    caughtBy: ['lost', 'second payable', 'delivered wrongly', 'paid, not delivered'],
    plan: { splitRoles: false },
    make: () => ({
      ...unbroken,
      serverStore: (store, clock) =>
        oneByOne({
          ...store,
          // As slow as a database on another machine.
          read: async (key) => {
            const record = await store.read(key)
            await clock.sleep(250)
            return record
          },
          replace: async (record) => store.replace(record, (await store.read(record.key))?.version ?? 0),
        }),
    }),
  },
  writesBehind: {
    what: 'has a store that says yes before it has written',
    caughtBy: ['lost'],
    make: () => ({ ...unbroken, serverStore: (store, clock) => createWriteBehindStore(store, clock) }),
  },
  swallowed: {
    what: 'takes a failed callback for a delivery',
    caughtBy: ['paid, not delivered', 'delivered wrongly'],
    make: () => ({
      ...unbroken,
      callback: (callback) => async (event) => {
        // Ignores a rejected promise, as `notify(event).catch(() => {})` does.
        await Promise.resolve(callback(event)).catch(() => undefined)
      },
    }),
  },
  eventsNeedCallback: {
    what: 'stores a change only where it can be delivered',
    caughtBy: ['paid, not delivered', 'delivered wrongly'],
    make: () => ({ ...unbroken, serverStore: (store, _, role) => withoutNewEvents(store, role) }),
  },
  noDeadline: {
    what: 'waits for a callback without end',
    caughtBy: ['paid, not delivered', 'delivered late'],
    plan: { ...manyCarts, without: crashes },
    make: () => ({ ...unbroken, options: (options) => ({ ...options, callbackTimeoutMs: 2_147_483_647 }) }),
  },
  noPatience: {
    what: 'takes a payment back on one answer',
    caughtBy: ['delivered wrongly', 'screen went back'],
    make: () => ({ ...unbroken, serverStore: withoutPatience() }),
  },
  countedIds: {
    what: 'names a change by its number, where a backup is restored',
    caughtBy: ['delivered wrongly', 'paid, not delivered'],
    plan: restarted,
    make: () => ({ ...unbroken, callback: (callback) => (event) => callback(counted(event)) }),
  },
  oneBadRecord: {
    what: 'reads no list that has a record which it cannot read',
    caughtBy: ['delivered late', 'paid, not delivered', 'unexpected error'],
    make: () => ({ ...unbroken, serverStore: (store) => allOrNothing(store) }),
  },
  overwrites: {
    what: 'writes over what it cannot read',
    plan: manyCarts,
    caughtBy: ['lost', 'paid, not delivered', 'unexpected error'],
    make: () => ({ ...unbroken, serverStore: (store) => overwriting(store) }),
  },
  namedLeases: {
    what: 'takes leases until a time of its own clock',
    caughtBy: ['delivered late'],
    // With this seed the first servers' clocks are ahead of the clocks after the restore.
    plan: { ...restarted, seed: 5 },
    make: () => {
      const leases = leasesByNamedTime()
      return { ...unbroken, serverStore: (store, clock) => leases(store, clock) }
    },
  },
  noSweep: {
    what: 'never looks for times that a clock hours ahead has written',
    caughtBy: ['delivered late'],
    // With this seed many payments are late.
    plan: { ...restarted, seed: 9, carts: 120, spanMs: 60_000 },
    make: () => ({
      ...unbroken,
      serverClock: firstAhead(),
      serverStore: (store) => ({
        ...store,
        lease: async (name, holder, forMs) => name !== 'sweep' && store.lease(name, holder, forMs),
      }),
    }),
  },
  looksForNoStrays: {
    what: 'never looks for orders that its store has lost',
    caughtBy: ['paid, known to nobody'],
    plan: { restores: true, failsOver: true },
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        lease: async (name, holder, forMs) => !name.endsWith('strays') && store.lease(name, holder, forMs),
      }),
    }),
  },
} satisfies Record<string, Variant>

/** At more than a day ahead, a server would go by the service's time. */
const aheadMs = 20 * 3_600_000

/** Wraps the store: a process that cannot deliver (role `web`) stores no new events. */
function withoutNewEvents(store: Store, role: Role): Store {
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
function allOrNothing(store: Store): Store {
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
function firstAhead(): (clock: Clock) => Clock {
  let made = 0
  return (clock) => {
    made += 1
    return made > 4 ? clock : { ...clock, now: () => clock.now() + aheadMs }
  }
}

/** Wraps the stores of all servers: each caller's own clock sets and judges the end of a lease. */
function leasesByNamedTime(): (store: Store, clock: Clock) => Store {
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
function counted(event: StatusEvent): StatusEvent {
  return { ...event, eventId: `${event.checkout.id}-${event.checkout.history.length - event.checkout.untoldEvents}` }
}

/** Wraps the stores of all servers: a status is taken back at once, without the usual delay. */
function withoutPatience(): (store: Store, clock: Clock) => Store {
  let events = 0
  const rules = {
    phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
    eventId: (id: string, status: string) => `${id}-${status}-${String(events++).padStart(12, '0')}`,
  } as const
  function changed(record: NewRecord, nowMs: number): NewRecord {
    if (!record.key.startsWith('checkout ')) return record
    const checkout = checkoutKind.parse(record)
    const held = checkout.takingBack
    return held && !held.isDenied ? checkoutKind.write(withStatus(checkout, held.status, nowMs, rules)) : record
  }
  return (store, clock) =>
    oneByOne({ ...store, replace: (record, version) => store.replace(changed(record, clock.now()), version) })
}

/** Wraps the store: overwrites an unreadable record with a record of this version. */
function overwriting(store: Store): Store {
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

const behindMs = 4_000

/** A store that acknowledges writes early. The writes that wait when a server dies are lost. */
function createWriteBehindStore(base: Store, clock: Clock): Store {
  const waiting = new Map<string, NewRecord & { readonly version: number }>()
  const read: Store['read'] = async (key) => waiting.get(key) ?? base.read(key)

  function accept(record: NewRecord, version: number): true {
    const accepted = { ...record, version }
    waiting.set(record.key, accepted)
    void clock.sleep(behindMs).then(() => write(record.key, accepted))
    return true
  }

  async function write(key: string, accepted: NewRecord & { readonly version: number }): Promise<void> {
    if (waiting.get(key) !== accepted) return
    const stored = await base.read(key)
    const write = stored ? base.replace(accepted, stored.version) : base.create(accepted)
    // The caller has already been answered, so there is nobody to pass a failure to.
    await write.catch(() => false)
    if (waiting.get(key) === accepted) waiting.delete(key)
  }

  return oneByOne({
    ...base,
    read,
    reschedule: async (reschedulings) => {
      const done = new Set<string>()
      for (const { key, due, version } of reschedulings) {
        const record = waiting.get(key)
        if (record?.version === version) accept({ ...record, due }, version)
        else if (record || !(await base.reschedule([{ key, due, version }])).has(key)) continue
        done.add(key)
      }
      return done
    },
    create: async (record) => !(await read(record.key)) && accept(record, 1),
    replace: async (record, version) => (await read(record.key))?.version === version && accept(record, version + 1),
  })
}
