/** Mistakes about what proves whose an order is, made on purpose. */
import { asList, asRecord, type JsonRecord } from '../../src/contract/parse.ts'
import type { Variant } from './broken.ts'
import { unbroken } from './variants.ts'

/** A service that shows addresses and no exact times, and others who use it much. */
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

export const evidenceVariants = {
  keyedByAddress: {
    what: 'keeps the orders of a list by their addresses, where addresses are used again',
    caughtBy: ['wrongly bound'],
    plan: muteBusy(true),
    make: () => ({ ...unbroken, serviceFetch: (fetch) => throughLists(fetch, byAddress) }),
  },
  holes: {
    what: 'counts in a list in which orders are missing',
    caughtBy: ['wrongly bound'],
    plan: { ...muteBusy(false), equalShare: 0, strangersEveryMs: 1_000 },
    make: () => ({
      ...unbroken,
      // A third of all orders, and always the same third.
      serviceFetch: (fetch) =>
        throughLists(fetch, (orders) => orders.filter(({ id }) => Number.parseInt(String(id).slice(-2), 16) % 3 > 0)),
    }),
  },
} satisfies Record<string, Variant>

/** One order for each address: the first one, with the id of the last. */
function byAddress(orders: readonly JsonRecord[]): readonly JsonRecord[] {
  const kept = new Map<string, JsonRecord>()
  const oldestFirst = orders.toSorted((left, right) => (String(left.created_at) < String(right.created_at) ? -1 : 1))
  for (const order of oldestFirst) {
    const key = `${order.wallet_address ?? order.id} ${order.tag ?? ''}`
    kept.set(key, { ...order, ...kept.get(key), id: order.id })
  }
  return [...kept.values()]
}

function throughLists(
  service: typeof fetch,
  change: (orders: readonly JsonRecord[]) => readonly JsonRecord[],
): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    if (!answer.ok || !String(input).includes('page=')) return answer
    const text = await answer.text()
    try {
      const list = asRecord(JSON.parse(text), 'list')
      const orders = asList(list.orders, 'orders', 1_000).map((order) => asRecord(order, 'order'))
      return new Response(JSON.stringify({ ...list, orders: change(orders) }), answer)
    } catch {
      // A broken body stays one.
      return new Response(text, answer)
    }
  }
}
