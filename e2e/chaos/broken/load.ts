/** Mistakes under strain, made on purpose: too many requests to the service, or none. */
import { fromHeader } from '../../../src/server/http/clients.ts'
import { oneByOne } from '../../../src/server/store/one-by-one.testing.ts'
import { unbroken } from '../world/breakage.ts'
import { throughLists, type Variant } from './variant.ts'

const dayMs = 86_400_000

/** Variants with a mistake under strain. */
export const loadVariants = {
  obedient: {
    what: 'leaves the service alone for as long as a header says',
    caughtBy: ['paid, not delivered'],
    isUnderStrain: true,
    make: () => ({ ...unbroken, serviceFetch: (fetch, clock) => obeying(fetch, clock.now) }),
  },
  hasty: {
    what: 'asks the service without a budget',
    caughtBy: ['over budget'],
    isUnderStrain: true,
    make: () => ({
      ...unbroken,
      options: (options) => ({ ...options, serviceRequestsPerSecond: 1_000 }),
      serviceFetch: repeating,
    }),
  },
  forgetful: {
    what: 'does not remember what the service refused',
    caughtBy: ['asked too often'],
    isUnderStrain: true,
    make: () => ({
      ...unbroken,
      serverStore: (store) => {
        const forgetting = <Record extends { value: string }>(record: Record) => ({
          ...record,
          value: record.value.replace(/"refusedAtMs":\[[^\]]*\]/, '"refusedAtMs":[]'),
        })
        return oneByOne({
          ...store,
          create: (record) => store.create(forgetting(record)),
          replace: (record, version) => store.replace(forgetting(record), version),
        })
      },
    }),
  },
  freshOnly: {
    what: 'never comes to look at old checkouts, at a service that lists the orders of one day',
    caughtBy: ['paid, not delivered'],
    isUnderStrain: true,
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        listDue: async (queue, nowMs, limit) => (queue === 'look old' ? [] : store.listDue(queue, nowMs, limit)),
      }),
      network: (fetch, time) =>
        throughLists(fetch, (orders) =>
          orders.filter(({ created_at }) => time.nowMs() - Date.parse(String(created_at)) < dayMs),
        ),
    }),
  },
  oneClient: {
    what: 'takes all payers behind a proxy for one client',
    caughtBy: ['refused for another'],
    isUnderStrain: true,
    plan: { carts: 40, spanMs: 6 * 60_000 },
    make: () => ({ ...unbroken, options: (options) => ({ ...options, clientKey: () => 'everybody' }) }),
  },
  anyHop: {
    what: 'believes the address that a payer wrote',
    caughtBy: ['asked too often'],
    isUnderStrain: true,
    // Each server counts for itself.
    plan: { servers: 1 },
    make: () => ({
      ...unbroken,
      options: (options) => ({ ...options, clientKey: fromHeader('x-forwarded-for', { trustedHops: 2 }) }),
    }),
  },
} satisfies Record<string, Variant>

/** After a refusal, sends nothing for as long as its `Retry-After` says. */
function obeying(service: typeof fetch, now: () => number): typeof fetch {
  let untilMs = 0
  return async (input, init) => {
    if (now() < untilMs) throw new TypeError('fetch failed')
    const answer = await service(input, init)
    const seconds = Number(answer.headers.get('retry-after') ?? 0)
    if (!answer.ok && seconds > 0) untilMs = now() + seconds * 1_000
    return answer
  }
}

/** Repeats each GET request thirty times. */
function repeating(service: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (init?.method === 'GET') for (let more = 0; more < 30; more++) void service(input, init).catch(() => undefined)
    return service(input, init)
  }
}
