/** Checks every record when it is written, against the one before and the service's state. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import type { CartEntry, CartRecord, CheckoutRecord, Instructions } from '../../../src/server/core/types.ts'
import { cartKind, checkoutKind } from '../../../src/server/records/record-kinds.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import { storeNoting } from '../../../src/testing/store-around.testing.ts'
import type { Rule } from '../world/findings.ts'
import { placeOf } from '../world/oracle.ts'
import type { VirtualTime } from '../world/time.ts'
import type { Call, StoreAudit, World } from '../world/types.ts'

/** What the keys of the store's second account begin with. */
const ofOtherAccount = /^@\w+ /

/** Wraps the store that all servers share. */
export function createStoreAudit(base: Store, world: Watched): StoreAudit {
  const { time, findings, oracle } = world
  const { put, putCart, ...index } = createStoredIndex(time)
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
    putCart(cart)
  }

  function onCheckout(next: CheckoutRecord): void {
    const before = checkouts.get(next.id)
    put(next)
    if (before) checkKept(world, before, next)
    if (next.instructions && !before?.instructions) checkInstructions(next, next.instructions)
    if (next.attempts.length > (before?.attempts.length ?? 0)) {
      checkAttempt(world, calls.getStore(), before, next)
      checkNeed(world, index.settledSinceMs(next.reference), next)
    }
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
    store: storeNoting(base, onWrite),
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
  if (call?.method === 'GET') findings.violate('created without cause', `checkout ${next.id} is asked for by a GET`)
  if (before?.instructions) findings.violate('created without cause', `checkout ${next.id} has instructions already`)
}

/** Longer than the store takes to answer, at its slowest. */
const knownMs = 35_000

/** Checks that no order is asked for where the cart is known to have a deposit. */
function checkNeed({ time, findings }: Watched, settledSinceMs: number | undefined, { id, reference }: CheckoutRecord) {
  if (time.nowMs() - (settledSinceMs ?? Number.POSITIVE_INFINITY) > knownMs)
    findings.violate('created without cause', `checkout ${id} asks for an order, and ${reference} has a deposit`)
}

type Watched = Pick<World, 'time' | 'findings' | 'oracle'>

/** Checks that what a browser was shown never changes, and that a record loses nothing. */
function checkKept({ findings, oracle }: Watched, before: CheckoutRecord, next: CheckoutRecord): void {
  const kept = ({ key, reference, method, terms, offeredAmount, instructions }: CheckoutRecord) =>
    JSON.stringify([key, reference, method, terms.price, offeredAmount, instructions])
  const instructed = before.instructions ? next : { ...next, instructions: null }
  if (kept(before) !== kept(instructed)) findings.violate('lost', `what checkout ${next.id} said to pay has changed`)
  if (next.revision < before.revision) findings.violate('lost', `the revision of checkout ${next.id} fell`)
  if (next.eventCount < before.eventCount) findings.violate('lost', `checkout ${next.id} forgot an event`)
  for (const { id } of before.attempts) {
    const made = oracle.posts.some((post) => post.intent?.attemptId === id && post.orders > 0)
    if (made && !next.attempts.some((attempt) => attempt.id === id))
      findings.violate('lost', `checkout ${next.id} forgot a request that made an order`)
  }
}

/** Checks that a binding which is not provisional names the checkout's own order. */
function checkBinding(
  { time, findings, oracle }: Watched,
  answeredMs: number | undefined,
  before: CheckoutRecord | undefined,
  { id, binding, instructions }: CheckoutRecord,
): void {
  const isNew = binding?.orderId !== before?.binding?.orderId
  if (before?.binding && isNew) findings.count('bindings undone')
  if (!binding) return
  if (isNew) findings.count(`bound by ${binding.evidence}`)
  const sinceAnswerMs = time.nowMs() - (answeredMs ?? time.nowMs())
  const isByRule = binding.evidence !== 'merchant'
  if (isNew && isByRule) findings.sample('answer to binding', sinceAnswerMs)
  const becameCertain = !binding.isProvisional && (isNew || before?.binding?.isProvisional === true)
  if (becameCertain && isByRule) findings.sample('answer to certain binding', sinceAnswerMs)
  // A provisional binding may be wrong: nothing is done because of it.
  if (binding.isProvisional || (!isNew && !before?.binding?.isProvisional)) return
  const order = oracle.order(binding.orderId)
  const own = instructions && oracle.at(instructions.address, instructions.tag)
  if (order && order === own) return
  // If equal checkouts are all paid, nobody cares which order belongs to which.
  oracle.note()
  const isPaid = (each: typeof order | null) => each?.post !== undefined && each.now().status === 'confirmed'
  if (binding.evidence === 'all_paid' && isPaid(own) && isPaid(order)) return
  findings.violate(
    'wrongly bound',
    `checkout ${id} by ${binding.evidence} to ${order?.post ? "another checkout's" : "somebody else's"} order ${binding.orderId}`,
  )
}

/** Returns what is wrong with a cart that has just replaced `before`. */
function cartFaults(before: CartRecord | undefined, next: CartRecord): readonly { rule: Rule; what: string }[] {
  const open = next.entries.filter(({ endedAtMs }) => endedAtMs === null).map(({ method }) => method)
  const twice = open.find((method, at) => open.indexOf(method) !== at)
  return [
    ...(twice === undefined
      ? []
      : [{ rule: 'second payable' as const, what: `cart ${next.reference} has two checkouts for ${twice}` }]),
    ...(before?.entries ?? []).flatMap((old, at) => {
      const what = entryFault(old, next.entries[at], next.entries)
      return what === null ? [] : [{ rule: 'lost' as const, what: `cart ${next.reference}: ${what}` }]
    }),
  ]
}

/** Returns what is wrong with an entry, or null. Its place, its end and a successor that lives are final. */
function entryFault(old: CartEntry, next: CartEntry | undefined, entries: readonly CartEntry[]): string | null {
  if (next?.id !== old.id) return `checkout ${old.id} is gone`
  if (old.endedAtMs !== null && next.endedAtMs !== old.endedAtMs) return `checkout ${old.id} ended twice`
  const lives = entries.some(({ id, endedAtMs }) => id === old.successor && endedAtMs === null)
  return lives && next.successor !== old.successor ? `checkout ${old.id} got another successor` : null
}

/** Creates an empty index. */
function createStoredIndex(time: VirtualTime) {
  const checkouts = new Map<string, CheckoutRecord>()
  const carts = new Map<string, CartRecord>()
  const idsOf = new Map<string, string[]>()
  const idAt = new Map<string, string>()
  const settledSince = new Map<string, number>()

  const checkoutsOf = (reference: string) =>
    (idsOf.get(reference) ?? []).map((id) => checkouts.get(id)).filter((checkout) => checkout !== undefined)

  function put(checkout: CheckoutRecord): void {
    const { id, reference, instructions } = checkout
    if (!checkouts.has(id)) idsOf.set(reference, [...(idsOf.get(reference) ?? []), id])
    checkouts.set(id, checkout)
    if (instructions) idAt.set(placeOf(instructions.address, instructions.tag), id)
    const isSettled = checkoutsOf(reference).some(({ status }) => status === 'pending' || status === 'confirmed')
    if (!isSettled) settledSince.delete(reference)
    else if (!settledSince.has(reference)) settledSince.set(reference, time.nowMs())
  }

  const putCart = (cart: CartRecord) => void carts.set(cart.reference, cart)

  return {
    checkouts,
    carts,
    put,
    putCart,
    checkoutsOf,
    settledSinceMs: (reference: string) => settledSince.get(reference),
    checkoutAt: (address: string, tag: string | null) => checkouts.get(idAt.get(placeOf(address, tag)) ?? ''),
    restored: (records: readonly NewRecord[]) => {
      for (const index of [checkouts, carts, idsOf, idAt, settledSince]) index.clear()
      for (const record of records) {
        if (record.key.startsWith('cart ')) putCart(cartKind.parse(record))
        if (record.key.startsWith('checkout ')) put(checkoutKind.parse(record))
      }
    },
  }
}
