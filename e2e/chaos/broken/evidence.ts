/** Mistakes about the evidence for bindings, made on purpose. */
import { asList, asRecord, type JsonRecord } from '../../../src/contract/parse.ts'
import { isOfGateway } from '../faults/service-answers.ts'
import { unbroken } from '../world/breakage.ts'
import { faultKinds } from '../world/faults.ts'
import { manyCarts, throughLists, type Variant } from './variant.ts'

/** A service with many orders of others, and without exact times. */
const muteBusy = (listInstructions: boolean) => ({
  strangersEveryMs: 5_000,
  sandbox: {
    dateTime: null,
    expTime: null,
    creationId: false,
    listInstructions,
    detailsInstructions: listInstructions,
  },
})

/** Variants with a mistake about evidence. */
export const evidenceVariants = {
  amountOnly: {
    what: 'binds the first order of the list with the same amount',
    caughtBy: ['wrongly bound'],
    make: () => ({ ...unbroken, serviceFetch: (fetch) => bindingByAmount(fetch) }),
  },
  unclaimed: {
    what: 'binds an order without keeping the claim to it',
    caughtBy: ['bound, not claimed'],
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        create: async (record) => record.key.startsWith('order ') || store.create(record),
      }),
    }),
  },
  keyedByAddress: {
    what: 'keeps the orders of a list by their addresses, where addresses are used again',
    caughtBy: ['wrongly bound'],
    plan: muteBusy(true),
    make: () => ({ ...unbroken, serviceFetch: (fetch) => throughLists(fetch, byAddress) }),
  },
  holes: {
    what: 'counts in a list in which orders are missing',
    caughtBy: ['wrongly bound'],
    // Among this many orders, some are always bound wrongly.
    plan: { ...muteBusy(false), equalShare: 0, strangersEveryMs: 1_000, carts: 80, spanMs: 720_000 },
    make: () => ({
      ...unbroken,
      // A third of all orders is missing, always the same third.
      serviceFetch: (fetch) =>
        throughLists(fetch, (orders) => orders.filter(({ id }) => Number.parseInt(String(id).slice(-2), 16) % 3 > 0)),
    }),
  },
  faithful: {
    what: 'takes an order that the service does not know for one that waits',
    caughtBy: ['delivered late', 'paid, not delivered'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      serviceFetch: (fetch) => async (input, init) => {
        const answer = await fetch(input, init)
        return answer.status === 404 ? Response.json({ status: 'open' }) : answer
      },
    }),
  },
  wholeReadings: {
    what: 'holds against an order that a list showed it while its request was on its way',
    caughtBy: ['known, called unknown'],
    plan: {
      servers: 1,
      splitRoles: false,
      equalShare: 0,
      // Readings of many pages, so that creations are sent while the pages are on their way.
      carts: 90,
      spanMs: 60_000,
      strangersEveryMs: 3_000,
      faultLevel: 1,
      sandbox: { ...muteBusy(false).sandbox, maxPageSize: 5 },
      without: faultKinds.filter((kind) => kind.startsWith('server: ')),
    },
    make: () => ({ ...unbroken, serviceFetch: (fetch, clock) => byReadings(fetch, clock.now) }),
  },
  gatewayTime: {
    what: 'takes the time of a gateway for that of the service',
    caughtBy: ['over too early', 'shown late'],
    plan: { clocksSet: 'service', sandbox: { creationId: false, expTime: 'seconds', dateTime: 'created' } },
    make: () => ({ ...unbroken, serviceFetch: (fetch, clock) => believingGateways(fetch, clock.now) }),
  },
} satisfies Record<string, Variant>

/** Keeps one order for each address and tag: the oldest one, with the id of the newest. */
function byAddress(orders: readonly JsonRecord[]): readonly JsonRecord[] {
  const kept = new Map<string, JsonRecord>()
  const oldestFirst = orders.toSorted((left, right) => (String(left.created_at) < String(right.created_at) ? -1 : 1))
  for (const order of oldestFirst) {
    const key = `${order.wallet_address ?? order.id} ${order.tag ?? ''}`
    kept.set(key, { ...order, ...kept.get(key), id: order.id })
  }
  return [...kept.values()]
}

/** Adds to the answer to a creation the id of an order that has the same amount and assets. */
function bindingByAmount(service: typeof fetch): typeof fetch {
  const taken = new Set<string>()
  return async (input, init) => {
    const answer = await service(input, init)
    if (init?.method !== 'POST' || !answer.ok) return answer
    const text = await answer.text()
    const orders = await listed(service, String(input), init).catch(() => [])
    const wanted = asRecord(JSON.parse(String(init?.body)), 'body')
    const equal = orders.find(
      (order) =>
        order.target_amount === Number(wanted.target_amount) &&
        order.target_asset === wanted.target_asset &&
        order.source_asset === wanted.source_asset &&
        !taken.has(String(order.id)),
    )
    if (!equal) return new Response(text, answer)
    taken.add(String(equal.id))
    return new Response(text.replace('{', `{"id":"${equal.id}",`), answer)
  }
}

async function listed(service: typeof fetch, creation: string, init: RequestInit | undefined) {
  const url = `${new URL(creation).origin}/v1/order?page=1&size=100&order_by=created_at`
  const answer = await service(url, { method: 'GET', headers: new Headers(init?.headers) })
  const { orders } = asRecord(JSON.parse(await answer.text()), 'list')
  return asList(orders, 'orders', 1_000).map((order) => asRecord(order, 'order'))
}

/** After a gateway's page, the next three answers (creations excepted) state the gateway's time. */
function believingGateways(service: typeof fetch, now: () => number): typeof fetch {
  let aheadMs = 0
  let doubts = 4
  return async (input, init) => {
    const answer = await service(input, init)
    const dateMs = Date.parse(answer.headers.get('date') ?? '')
    if (isOfGateway(answer)) {
      aheadMs = dateMs - now()
      doubts = 0
      return answer
    }
    doubts += 1
    if (Number.isNaN(aheadMs) || doubts > 3 || init?.method === 'POST') return answer
    const headers = new Headers(answer.headers)
    headers.set('date', new Date(now() + aheadMs).toUTCString())
    return new Response(answer.body, { status: answer.status, headers })
  }
}

/** Hides an order from all lists if its creation was sent during the first reading with it. */
function byReadings(service: typeof fetch, now: () => number): typeof fetch {
  const known = new Set<string>()
  const hidden = new Set<string>()
  let posts = 0
  let reading = { posts, endedMs: Number.NEGATIVE_INFINITY }
  const lists = throughLists(service, (orders) => {
    const ids = orders.map(({ id }) => String(id))
    for (const id of ids) if (!known.has(id) && posts > reading.posts) hidden.add(id)
    for (const id of ids) known.add(id)
    return orders.filter(({ id }) => !hidden.has(String(id)))
  })
  return async (input, init) => {
    if (init?.method === 'POST') posts += 1
    // The pages of one reading are requested immediately after each other.
    const isList = String(input).includes('page=')
    if (isList && now() > reading.endedMs) reading = { posts, endedMs: Number.POSITIVE_INFINITY }
    try {
      return await lists(input, init)
    } finally {
      if (isList) reading.endedMs = now()
    }
  }
}
