/** Payments that a person has dealt with: they wait for nobody until something new happens. */
import { asRecord, asText } from '../contract/parse.ts'
import { hashOf } from '../server/records/ids.ts'
import type { Store } from '../server/store/store.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'

/** When payments were dealt with, ISO 8601, by what was known of them then: see `knownOf`. */
export type Dealt = ReadonlyMap<string, string>

const label = 'dealt'
const keyOf = (checkoutId: string) => `dealt ${checkoutId}`
/** Records that a store returns at most at once. */
const pageSize = 1_000

/** What is known of a payment, as a text that changes when something happens to it. */
export function knownOf({ id, history, arrival, order }: MerchantCheckout): string {
  return [id, history.length, arrival?.kind, order?.id].join(' ')
}

/** The same of an order. @param quotes - All of its payments, newest first. */
export function knownOfOrder(quotes: readonly MerchantCheckout[]): string {
  return hashOf(quotes.map(knownOf).join())
}

/** Keeps it in the store of the shop, as long as the store lasts. */
export function createDealt(store: Pick<Store, 'create' | 'read' | 'replace' | 'remove' | 'list'>, now: () => number) {
  return {
    read: async (): Promise<Dealt> => {
      const dealt = new Map<string, string>()
      for (let before: string | undefined; ; ) {
        const page = await store.list(label, { limit: pageSize, ...(before !== undefined && { before }) })
        for (const { value } of page) dealt.set(...parse(value))
        before = page.at(-1)?.key
        if (before === undefined) return dealt
      }
    },
    /** Marks a payment as it is now, or takes its mark away. */
    mark: async (checkout: MerchantCheckout, isDealt: boolean): Promise<void> => {
      const key = keyOf(checkout.id)
      const found = await store.read(key)
      if (found) await store.remove(key, found.version)
      const value = JSON.stringify({ v: 1, known: knownOf(checkout), at: new Date(now()).toISOString() })
      if (isDealt) await store.create({ key, value, labels: [label], due: [] })
    },
  }
}

function parse(value: string): [known: string, at: string] {
  const { known, at } = asRecord(JSON.parse(value), 'what was dealt with')
  return [asText(known, 'known', 500), asText(at, 'at')]
}
