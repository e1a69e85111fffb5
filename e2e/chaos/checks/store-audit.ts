/**
 * Reads along with everything that is written to the store, the moment it is written, and holds each record against the one
 * before and against what really is at the service.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import { parseCart, parseCheckoutRecord } from '../../../src/server/records/parsers.ts'
import type { CartRecord, CheckoutRecord, Instructions } from '../../../src/server/records/types.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { ServerClock } from '../world/clocks.ts'
import type { Intent, Oracle } from '../world/oracle.ts'
import type { VirtualTime } from '../world/time.ts'
import { cartFaults } from './cart-rules.ts'
import type { Findings } from './findings.ts'

/** A request that is younger than this, of a server that lives, is still waited for. */
const creationPatienceMs = 19_000
/**
 * Servers whose clocks are further apart than this do not agree on whose turn it is: the order of one of them is lost, and paid by
 * nobody. Counted by itself; see docs/chaos.md.
 */
const clockBoundMs = 15_000

/** The request of a browser that a piece of work belongs to. */
interface Call {
  intent: Intent | undefined
  /** Of the server that does it. */
  readonly clock: ServerClock
}

export interface StoreAudit {
  /** The store, read along with. */
  readonly store: Store
  readonly checkouts: ReadonlyMap<string, CheckoutRecord>
  readonly carts: ReadonlyMap<string, CartRecord>
  /** Ties the intents that are stored to the requests that are sent after them. */
  readonly calls: AsyncLocalStorage<Call>
  /** Since when the store has known of a deposit for this cart; undefined when it knows of none. */
  settledSinceMs(reference: string): number | undefined
  checkoutsOf(reference: string): readonly CheckoutRecord[]
  /** The checkout whose instructions have this address. */
  checkoutAt(address: string, tag: string | null): CheckoutRecord | undefined
  /** The store is as it was before: what was written since is known to nobody. */
  restored(records: readonly NewRecord[]): void
}

export function createStoreAudit(
  base: Store,
  world: { time: VirtualTime; findings: Findings; oracle: Oracle },
): StoreAudit {
  const { time, findings, oracle } = world
  const checkouts = new Map<string, CheckoutRecord>()
  const carts = new Map<string, CartRecord>()
  const idsOf = new Map<string, string[]>()
  const idAt = new Map<string, string>()
  const settledSince = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  const calls = new AsyncLocalStorage<Call>()

  const checkoutsOf = (reference: string) =>
    (idsOf.get(reference) ?? []).map((id) => checkouts.get(id)).filter((checkout) => checkout !== undefined)

  function onWrite({ key, value }: NewRecord): void {
    findings.trace('stored', key)
    if (key.startsWith('checkout ')) onCheckout(parseCheckoutRecord(value))
    else if (key.startsWith('cart ')) onCart(parseCart(value))
  }

  function onCart(cart: CartRecord): void {
    for (const { rule, what } of cartFaults(carts.get(cart.reference), cart)) findings.violate(rule, what)
    carts.set(cart.reference, cart)
  }

  function onCheckout(next: CheckoutRecord): void {
    const before = checkouts.get(next.id)
    checkouts.set(next.id, next)
    if (!before) idsOf.set(next.reference, [...(idsOf.get(next.reference) ?? []), next.id])
    if (before) checkKept(before, next)
    if (next.instructions && !before?.instructions) checkInstructions(next, next.instructions)
    if (next.attempts.length > (before?.attempts.length ?? 0)) checkAttempt(before, next)
    checkBinding(before, next)
    noteSettled(next.reference)
  }

  /** What was stored once and told to a browser never changes. */
  function checkKept(before: CheckoutRecord, next: CheckoutRecord): void {
    const kept = ({ key, reference, method, terms, instructions }: CheckoutRecord) =>
      JSON.stringify([key, reference, method, terms.price, instructions])
    const instructed = before.instructions ? next : { ...next, instructions: null }
    if (kept(before) !== kept(instructed)) findings.violate('lost', `what checkout ${next.id} was told has changed`)
    if (next.revision < before.revision) findings.violate('lost', `the revision of checkout ${next.id} fell`)
    if (next.eventCount < before.eventCount) findings.violate('lost', `checkout ${next.id} forgot an event`)
    for (const { id } of before.attempts) {
      const made = oracle.posts.some((post) => post.intent?.attemptId === id && post.orders > 0)
      if (made && !next.attempts.some((attempt) => attempt.id === id))
        findings.violate('lost', `checkout ${next.id} forgot a request that made an order`)
    }
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
    idAt.set(`${address} ${tag ?? ''}`, checkout.id)
    answeredAt.set(checkout.id, time.nowMs())
    findings.count('checkouts with instructions')
  }

  function checkAttempt(before: CheckoutRecord | undefined, next: CheckoutRecord): void {
    const attempt = next.attempts.at(-1)
    const call = calls.getStore()
    if (!attempt) return
    if (call) call.intent = { checkoutId: next.id, attemptId: attempt.id }
    if (before?.instructions) findings.violate('created without cause', `checkout ${next.id} has instructions already`)
    const rival = oracle.posts.find(
      (post) =>
        post.intent?.checkoutId === next.id &&
        post.inFlight &&
        post.senderIsAlive() &&
        time.nowMs() - post.sentMs < creationPatienceMs,
    )
    if (!rival) return
    const apartMs = Math.abs((call?.clock.aheadMs ?? 0) - rival.senderAheadMs)
    if (apartMs > clockBoundMs) findings.count('created twice by clocks apart')
    else findings.violate('created without cause', `checkout ${next.id} has a request under way`)
  }

  function checkBinding(before: CheckoutRecord | undefined, { id, binding, instructions }: CheckoutRecord): void {
    const isNew = binding?.orderId !== before?.binding?.orderId
    if (before?.binding && isNew) findings.count('bindings undone')
    if (!binding) return
    if (isNew) findings.count(`bound by ${binding.evidence}`)
    const sinceAnswerMs = time.nowMs() - (answeredAt.get(id) ?? time.nowMs())
    const isByRule = binding.evidence !== 'merchant'
    if (isNew && isByRule) findings.sample('answer to binding', sinceAnswerMs)
    const becameCertain = !binding.isProvisional && (isNew || before?.binding?.isProvisional === true)
    if (becameCertain && isByRule) findings.sample('answer to certain binding', sinceAnswerMs)
    // Nothing follows from a provisional binding before it was looked at again: until then it may be wrong.
    if (binding.isProvisional || (!isNew && !before?.binding?.isProvisional)) return
    const order = oracle.order(binding.orderId)
    const own = instructions && oracle.at(instructions.address, instructions.tag)
    if (order && order === own) return
    // Of equal checkouts that are all paid it makes no difference to anybody which order is whose.
    oracle.note()
    const isPaid = (each: typeof order | null) => each?.post !== undefined && each.now().status === 'confirmed'
    if (binding.evidence === 'all_paid' && isPaid(own) && isPaid(order)) return
    findings.violate(
      'wrongly bound',
      `checkout ${id} by ${binding.evidence} to ${order?.post ? "another checkout's" : "somebody else's"} order ${binding.orderId}`,
    )
  }

  function restored(records: readonly NewRecord[]): void {
    for (const index of [checkouts, carts, idsOf, idAt, settledSince]) index.clear()
    for (const { key, value } of records) {
      if (key.startsWith('cart ')) carts.set(parseCart(value).reference, parseCart(value))
      if (!key.startsWith('checkout ')) continue
      const checkout = parseCheckoutRecord(value)
      const { id, reference, instructions } = checkout
      checkouts.set(id, checkout)
      idsOf.set(reference, [...(idsOf.get(reference) ?? []), id])
      if (instructions) idAt.set(`${instructions.address} ${instructions.tag ?? ''}`, id)
      noteSettled(reference)
    }
  }

  function noteSettled(reference: string): void {
    const settled = checkoutsOf(reference).some(({ status }) => status === 'pending' || status === 'confirmed')
    if (!settled) settledSince.delete(reference)
    else if (!settledSince.has(reference)) settledSince.set(reference, time.nowMs())
  }

  return {
    checkouts,
    carts,
    calls,
    restored,
    checkoutsOf,
    settledSinceMs: (reference) => settledSince.get(reference),
    checkoutAt: (address, tag) => checkouts.get(idAt.get(`${address} ${tag ?? ''}`) ?? ''),
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
    },
  }
}
