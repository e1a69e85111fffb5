/**
 * A test account whose server does not know that it is one gives a test address each time, and leaves an order behind each time: for a while
 * nothing is asked for again.
 */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { TestAddressError } from './instructions.ts'

const forMs = 60_000

/** By method: an address of one network says nothing about another. */
interface TestAddresses {
  /** @throws the refusal of a minute ago or less. */
  check(checkout: Pick<CheckoutRecord, 'method'>): void
  /** Remembers a refusal that was caused by a test address. */
  note(checkout: Pick<CheckoutRecord, 'method'>, refusal: unknown): void
}

/** In the memory of one process: whoever mends the option starts it anew. */
export function createTestAddresses(now: () => number): TestAddresses {
  const refusals = new LRUCache<string, { readonly refusal: PaywindowError; readonly atMs: number }>(growingTo(500))
  return {
    check: ({ method }) => {
      const last = refusals.get(nameOf(method))
      if (last && now() - last.atMs < forMs) throw last.refusal
    },
    note: ({ method }, refusal) => {
      if (refusal instanceof PaywindowError && refusal.cause instanceof TestAddressError)
        refusals.set(nameOf(method), { refusal, atMs: now() })
    },
  }
}

function nameOf({ asset, network }: CheckoutRecord['method']): string {
  return `${asset} ${network}`
}
