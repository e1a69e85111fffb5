/** Variants that each break a rule on purpose, and the checks that must notice it. */
import type { IconFetch } from '../../../src/server/icons/icons.ts'
import { oneByOne } from '../../../src/server/store/one-by-one.testing.ts'
import { type Breakage, unbroken } from '../world/breakage.ts'
import { faultKinds } from '../world/faults.ts'
import type { Rule } from '../world/findings.ts'
import type { SegmentPlan } from '../world/plan.ts'
import { createWriteBehindStore } from '../world/write-behind-store.ts'
import { browserVariants } from './browser.ts'
import {
  allOrNothing,
  counted,
  firstAhead,
  leasesByNamedTime,
  overwriting,
  withoutNewEvents,
  withoutPatience,
} from './delivery.ts'
import { evidenceVariants } from './evidence.ts'
import { failoverVariants } from './failover.ts'
import { loadVariants } from './load.ts'
import { serviceWordsVariants } from './service-words.ts'
import { toldVariants } from './told.ts'

/** A mistake that breaks a rule on purpose. */
export interface Variant {
  /** What a server or a widget with this mistake does. */
  readonly what: string
  /** The run must find at least one of these rules broken. */
  readonly caughtBy: readonly Rule[]
  /** Settings that a segment needs for the mistake to show. */
  readonly plan?: Partial<SegmentPlan>
  /** Whether the mistake shows only where service and servers are under strain. */
  readonly isUnderStrain?: boolean
  /** Creates the breakage anew for each run, because some breakages keep state. */
  make(): Breakage
}

/** For mistakes that show only when all servers are started again at the end, with other clocks than the first ones had. */
const restarted: Partial<SegmentPlan> = { restores: true, failsOver: false }

/** For mistakes that end with their process. */
const crashes = faultKinds.filter((kind) => kind.includes('crash'))

const variants = {
  doubles: {
    what: 'passes amounts through Number',
    caughtBy: ['wrong digits'],
    make: () => ({ ...unbroken, serviceFetch: (fetch) => throughDoubles(fetch) }),
  },
  wallClock: {
    what: 'counts down to a time of day, where clocks are an hour behind',
    caughtBy: ['shown late'],
    make: () => ({
      ...unbroken,
      received: (text, { wallMs }) =>
        text.replace(
          /"expiresAt":"([^"]+)","expiresInMs":-?\d+/g,
          (_, expiresAt: string) =>
            `"expiresAt":"${expiresAt}","expiresInMs":${Date.parse(expiresAt) - wallMs + 3_600_000}`,
        ),
    }),
  },
  retriedPost: {
    what: 'sends a creation again that failed',
    caughtBy: ['created without cause'],
    make: () => ({ ...unbroken, serviceFetch: (fetch) => retrying(fetch) }),
  },
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
    plan: { carts: 120, spanMs: 1_080_000, without: crashes },
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
    plan: { carts: 120, spanMs: 1_080_000 },
    caughtBy: ['lost', 'paid, not delivered', 'unexpected error'],
    make: () => ({ ...unbroken, serverStore: (store) => overwriting(store) }),
  },
  namedLeases: {
    what: 'takes leases until a time of its own clock',
    caughtBy: ['delivered late'],
    // Chance decides how far the clocks of the first servers were ahead of those that come after the restore.
    plan: { ...restarted, seed: 5 },
    make: () => {
      const leases = leasesByNamedTime()
      return { ...unbroken, serverStore: (store, clock) => leases(store, clock) }
    },
  },
  noSweep: {
    what: 'never looks for times that a clock hours ahead has written',
    caughtBy: ['delivered late'],
    // Chance decides, too, whose payment is late.
    plan: { ...restarted, seed: 1, carts: 60, spanMs: 60_000 },
    make: () => ({
      ...unbroken,
      serverClock: firstAhead(),
      serverStore: (store) => ({
        ...store,
        lease: async (name, holder, forMs) => name !== 'sweep' && store.lease(name, holder, forMs),
      }),
    }),
  },
  silent: {
    what: 'answers 500 and reports nothing',
    caughtBy: ['failure, unreported'],
    // Few requests fail inside the server.
    plan: { carts: 120, spanMs: 1_080_000 },
    make: () => ({
      ...unbroken,
      options: (options) => ({
        ...options,
        onError: (error, context) => (error.code === 'internal' ? undefined : options.onError?.(error, context)),
      }),
    }),
  },
  leak: {
    what: 'quotes the service in an answer',
    caughtBy: ['secrets leaked'],
    make: () => ({
      ...unbroken,
      answer: (text) => text.replace('{', '{"debug":"POST https://sandbox.invalid/v1/order/exchange",'),
    }),
  },
  countedTwice: {
    what: 'counts each change twice in some answers',
    caughtBy: ['older revision'],
    make: () => {
      let answers = 0
      const doubled = (_: string, revision: string) => `"revision":${2 * Number(revision)}`
      return {
        ...unbroken,
        answer: (text) => (answers++ % 10 === 0 ? text.replace(/"revision":(\d+)/, doubled) : text),
      }
    },
  },
  iconsByPath: {
    what: 'takes one path of icons for one picture',
    caughtBy: ['icon of another asset'],
    make: () => ({ ...unbroken, iconFetch: (fetch) => byPath(fetch) }),
  },
  iconsAnyStatus: {
    what: 'takes every answer of a host of icons for a picture',
    caughtBy: ['icon of another asset'],
    make: () => ({
      ...unbroken,
      iconFetch: (fetch) => async (url, init) => {
        const { body, headers } = await fetch(url, init)
        return new Response(body, { headers })
      },
    }),
  },
  iconsAgain: {
    what: 'asks a host of icons again at once',
    plan: { carts: 120, spanMs: 1_080_000 },
    caughtBy: ['icons without bound'],
    make: () => ({ ...unbroken, iconFetch: (fetch) => (url, init) => fetch(url, init).catch(() => fetch(url, init)) }),
  },
  ...evidenceVariants,
  ...failoverVariants,
  ...loadVariants,
  ...serviceWordsVariants,
  ...toldVariants,
  ...browserVariants,
} satisfies Record<string, Variant>

/** Names of the variants. */
export type VariantName = keyof typeof variants

/** Names of all variants. */
export const variantNames = Object.keys(variants) as VariantName[]

/** Returns the variant with this name. */
export function variantOf(name: VariantName): Variant {
  return variants[name]
}

/** Fetches the first URL with the same path in place of each URL, like a cache whose keys are paths. */
function byPath(host: IconFetch): IconFetch {
  const first = new Map<string, string>()
  return (url, init) => {
    const { pathname } = new URL(url)
    if (!first.has(pathname)) first.set(pathname, url)
    return host(first.get(pathname) ?? url, init)
  }
}

function throughDoubles(service: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    const text = await answer.text()
    try {
      return new Response(JSON.stringify(JSON.parse(text)), answer)
    } catch {
      // A body that is not valid JSON is passed on unchanged.
      return new Response(text, answer)
    }
  }
}

function retrying(service: typeof fetch): typeof fetch {
  return async (input, init) => {
    const again = () => service(input, init)
    if (init?.method !== 'POST') return again()
    const answer = await again().catch(() => undefined)
    return answer && answer.status < 500 ? answer : again()
  }
}
