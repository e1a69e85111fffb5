/**
 * Checks every record the moment it is written to the store, against its previous version and against the true state at the
 * service.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import type { CartRecord, CheckoutRecord, Instructions } from '../../../src/server/core/types.ts'
import { cartKind, checkoutKind } from '../../../src/server/records/record-kinds.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { ServerClock } from '../world/clocks.ts'
import type { Intent } from '../world/oracle.ts'
import { cartFaults } from './cart-rules.ts'
import { checkBinding, checkKept, type Watched } from './record-rules.ts'
import { createStoredIndex, type StoredIndex } from './stored-index.ts'

/** The browser's request that a piece of work belongs to. */
interface Call {
  intent: Intent | undefined
  /** The clock of the server that does the work. */
  readonly clock: ServerClock
}

/** The check of everything that is stored. */
export interface StoreAudit extends StoredIndex {
  /** The store, with every write checked. */
  readonly store: Store
  /** Checkouts with instructions that ended because the price of their cart was another. */
  readonly endedByPrice: ReadonlySet<string>
  /** Links stored attempts to the creation requests that are sent after them. */
  readonly calls: AsyncLocalStorage<Call>
}

/** What stands before the keys of an account that is not the store's first one. */
const ofOtherAccount = /^@\w+ /

/** Wraps the store that all servers share. */
export function createStoreAudit(base: Store, world: Watched): StoreAudit {
  const { time, findings, oracle } = world
  const index = createStoredIndex(time)
  const { checkouts, carts } = index
  const answeredAt = new Map<string, number>()
  const endedByPrice = new Set<string>()
  const calls = new AsyncLocalStorage<Call>()

  function onWrite(record: NewRecord): void {
    const key = record.key.replace(ofOtherAccount, '')
    findings.trace('stored', record.key)
    if (key.startsWith('checkout ')) onCheckout(checkoutKind.parse(record))
    else if (key.startsWith('cart ')) onCart(cartKind.parse(record))
  }

  function onCart(cart: CartRecord): void {
    const before = carts.get(cart.reference)
    for (const { rule, what } of cartFaults(before, cart)) findings.violate(rule, what)
    for (const { id, endedAtMs, successor } of before?.entries ?? []) {
      const after = cart.entries.find((entry) => entry.id === id)
      const isEnded = endedAtMs === null && successor === null && after?.endedAtMs !== null && after?.successor === null
      if (isEnded && checkouts.get(id)?.instructions) endedByPrice.add(id)
    }
    index.putCart(cart)
  }

  function onCheckout(next: CheckoutRecord): void {
    const before = checkouts.get(next.id)
    index.put(next)
    if (before) checkKept(world, before, next)
    if (next.instructions && !before?.instructions) checkInstructions(next, next.instructions)
    if (next.attempts.length > (before?.attempts.length ?? 0)) checkAttempt(world, calls.getStore(), before, next)
    checkBinding(world, answeredAt.get(next.id), before, next)
  }

  function checkInstructions(checkout: CheckoutRecord, { address, tag, amount }: Instructions): void {
    const order = oracle.at(address, tag)
    if (!order) {
      findings.violate('wrong digits', `checkout ${checkout.id} has an address that no order has`)
      return
    }
    if (order.post?.intent?.checkoutId !== checkout.id)
      findings.violate('wrong digits', `checkout ${checkout.id} has the address of another's order`)
    if (!equalDecimals(order.now().sourceAmount, amount))
      findings.violate('wrong digits', `checkout ${checkout.id}: ${amount}, not ${order.now().sourceAmount}`)
    answeredAt.set(checkout.id, time.nowMs())
    findings.count('checkouts with instructions')
  }

  return {
    ...index,
    endedByPrice,
    calls,
    store: {
      ...base,
      create: async (record) => {
        const done = await base.create(record)
        if (done) onWrite(record)
        return done
      },
      replace: async (record, version) => {
        const done = await base.replace(record, version)
        if (done) onWrite(record)
        return done
      },
      replaceMany: async (replacements) => {
        const replaced = await base.replaceMany(replacements)
        for (const { record } of replacements) if (replaced.has(record.key)) onWrite(record)
        return replaced
      },
    },
  }
}

function checkAttempt(
  { findings }: Pick<Watched, 'findings'>,
  call: Call | undefined,
  before: CheckoutRecord | undefined,
  next: CheckoutRecord,
): void {
  const attempt = next.attempts.at(-1)
  if (!attempt) return
  if (call) call.intent = { checkoutId: next.id, attemptId: attempt.id }
  if (before?.instructions) findings.violate('created without cause', `checkout ${next.id} has instructions already`)
}
