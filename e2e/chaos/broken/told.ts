/** Mistakes about payments as they are told and shown, made on purpose. */
import { asRecord } from '../../../src/contract/parse.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import { unbroken } from '../world/breakage.ts'
import { manyCarts, throughLists, type Variant } from './variant.ts'

/** Variants that tell or show a payment wrongly. */
export const toldVariants = {
  paidInFull: {
    what: 'takes every confirmed order for paid in full',
    caughtBy: ['told as paid'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      callback: (callback) => (event) =>
        callback(event.phase.startsWith('paid_') ? { ...event, phase: 'paid' } : event),
    }),
  },
  statusAlone: {
    what: 'tells of a status, and of nothing that becomes known after it',
    caughtBy: ['delivered wrongly'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      callback: (callback) => async (event) => (event.status === event.previousStatus ? undefined : callback(event)),
    }),
  },
  lapsedAtOnce: {
    what: 'tells of a cart as lapsed when its deposit is seen',
    caughtBy: ['lapsed wrongly'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      options: (options) => ({
        ...options,
        onStatusChange: async (event) => {
          await options.onLapsed?.({ ...event, checkoutId: event.checkout.id })
          await options.onStatusChange?.(event)
        },
      }),
    }),
  },
  lapsedUntold: {
    what: 'tells of no cart that nobody pays',
    caughtBy: ['lapsed wrongly'],
    make: () => ({ ...unbroken, options: ({ onLapsed: _, ...options }) => options }),
  },
  lastDigits: {
    what: 'compares amounts to the last digit, where the service rounds them',
    caughtBy: ['known, called unknown'],
    plan: { ...manyCarts, equalShare: 0 },
    make: () => {
      const asked = new Set<unknown>()
      return {
        ...unbroken,
        serviceFetch: (fetch) =>
          throughLists(noting(fetch, asked), (orders) => orders.filter((order) => asked.has(order.source_amount))),
      }
    },
  },
  oneName: {
    what: 'knows a coin by one name alone, where the service calls it by another',
    caughtBy: ['known, called unknown'],
    plan: { ...manyCarts, equalShare: 0 },
    make: () => ({
      ...unbroken,
      serviceFetch: (fetch) =>
        throughLists(fetch, (orders) => orders.filter(({ source_asset }) => source_asset !== 'XBT')),
    }),
  },
  sharedDeposit: {
    what: 'shows two payers one deposit',
    caughtBy: ['one deposit for two'],
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        lease: async (name, holder, forMs) => name.startsWith('deposit ') || store.lease(name, holder, forMs),
        list: async (label, options) => (label.startsWith('mark ') ? [] : store.list(label, options)),
      }),
    }),
  },
  canceledIsOver: {
    what: 'never looks at a canceled order again',
    caughtBy: ['delivered late', 'paid, not delivered'],
    plan: manyCarts,
    make: () => {
      const over = new Set<unknown>()
      return {
        ...unbroken,
        serverStore: (store) => ({
          ...store,
          listDue: async (...asked) =>
            (await store.listDue(...asked)).filter(({ value }) => !value.includes('"status":"canceled"')),
        }),
        serviceFetch: (fetch) =>
          throughLists(fetch, (orders) => {
            for (const { id, status } of orders) if (String(status).startsWith('cancel')) over.add(id)
            return orders.filter(({ id, status }) => !over.has(id) || status !== 'confirmed')
          }),
      }
    },
  },
  onePrice: {
    what: 'knows a reference by its first price alone, where it is used again',
    caughtBy: ['paid at another price'],
    plan: manyCarts,
    make: () => ({ ...unbroken, options: atFirstPrice((_, first) => first) }),
  },
  eachCent: {
    what: 'takes a price that moves by cents for another price',
    caughtBy: ['order for each price'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      // Prices so far apart are not taken for the same.
      options: atFirstPrice((now, first) => (now === first ? now : String(Math.round(Number(now) * 110) / 100))),
    }),
  },
  ownClock: {
    what: 'believes a clock that is months off and that the service contradicts',
    caughtBy: ['lost'],
    plan: { ...manyCarts, clockJumpsMs: [91 * 86_400_000] },
    make: () => ({
      ...unbroken,
      serviceFetch: (fetch, clock) => async (input, init) => {
        const answer = await fetch(input, init)
        const headers = new Headers(answer.headers)
        headers.set('date', new Date(clock.now()).toUTCString())
        return new Response(answer.body, { status: answer.status, headers })
      },
    }),
  },
  oneAccount: {
    what: 'takes what a store has for its own, whoever had the store before',
    caughtBy: ['told of another account'],
    plan: { changesAccount: true },
    make: () => ({
      ...unbroken,
      options: (options) => ({ ...options, service: { ...options.service, baseUrl: 'https://sandbox.invalid' } }),
    }),
  },
} satisfies Record<string, Variant>

/** Notes the amounts of all instructions, as a double has them. */
function noting(service: typeof fetch, amounts: Set<unknown>): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    if (init?.method !== 'POST' || !answer.ok) return answer
    const text = await answer.text()
    try {
      amounts.add(asRecord(JSON.parse(text), 'answer').amount)
    } catch {
      // A body that is not valid JSON is passed on unchanged.
    }
    return new Response(text, answer)
  }
}

/** Changes the price in an offer. `change` gets the present price and the first one. */
function atFirstPrice(change: (now: string, first: string) => string) {
  const firsts = new Map<string, string>()
  return (options: PaywindowOptions): PaywindowOptions => ({
    ...options,
    offer: async (asked) => {
      const offer = await options.offer(asked)
      if (!offer || offer === 'paid') return offer
      const now = String(Number(offer.price.amount))
      const first = firsts.get(asked.reference) ?? now
      firsts.set(asked.reference, first)
      return { ...offer, price: { ...offer.price, amount: change(now, first) } }
    },
  })
}
