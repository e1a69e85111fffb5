/** The end of a segment: faults end, days pass, and every promise must have been kept. */
import { inspect } from 'node:util'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import type { SandboxOrder } from '../../../src/sandbox/index.ts'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import type { StatusEvent } from '../../../src/server/options.ts'
import { straysKind } from '../../../src/server/records/record-kinds.ts'
import { createApi } from '../../../src/session/api.ts'
import { addressOf, createDevice, steadyDevice } from '../world/device.ts'
import type { Link, Servers, World } from '../world/types.ts'
import type { AnsweredCheckout, Answers } from './answers.ts'
import { checkAsked, checkCreations } from './creations.ts'
import { checkLapses } from './lapses.ts'
import { checkPurchases } from './told.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Pauses between the watcher's last rounds. Together they are more than four days. */
const pausesMs = [
  ...Array.from({ length: 8 }, () => minuteMs),
  ...Array.from({ length: 8 }, () => 15 * minuteMs),
  ...Array.from({ length: 20 }, () => 60 * minuteMs),
  ...Array.from({ length: 14 }, () => 6 * 60 * minuteMs),
]

/** After so many pauses, everything that the service knows must have been delivered. */
const deliveredAfterPauses = 18

/** Ends the faults and lets days pass. Unreadable records are repaired in between. */
export async function settle(world: World, servers: Servers): Promise<void> {
  const { time, faults } = world
  faults.stop()
  await time.sleep(5 * minuteMs)
  await servers.stopWatching()
  for (const [at, pauseMs] of pausesMs.entries()) {
    if (at === deliveredAfterPauses) {
      checkDelivered(world)
      await world.unreadable.repair()
    }
    await time.sleep(pauseMs)
    await watchOnce(world, servers)
  }
}

/** Checks that payments of hours ago were delivered, if their records and orders are known. */
function checkDelivered({ time, findings, oracle, audit, ledger, unreadable }: World): void {
  for (const order of oracle.all()) {
    const checkout = oracle.isFirst(order) ? audit.checkoutAt(order.address, order.tag) : undefined
    if (!checkout?.binding || order.now().status !== 'confirmed' || unreadable.isDamaged(checkout.id)) continue
    // Checkouts that stay unpaid for months are looked at only once a day.
    if (time.nowMs() - checkout.createdAtMs > dayMs) continue
    if (ledger.statusOf(checkout.id) !== 'confirmed')
      findings.violate('delivered late', `checkout ${checkout.id}, paid hours ago: ${ledger.statusOf(checkout.id)}`)
  }
}

/** A round of one of the servers that deliver. */
export async function watchOnce({ findings }: World, servers: Servers): Promise<void> {
  const instance = servers.pickDeliverer()
  // A round looks at 200 checkouts. Several rounds in a row leave nothing for the next pause.
  for (let round = 0; round < 4; round++)
    await instance?.server.watchOnce().catch((error: unknown) => findings.violate('unexpected error', inspect(error)))
  await instance?.server.settled()
  if (!instance) findings.violate('unexpected error', 'no server lives although nothing goes wrong')
}

/** Checks at the end of a segment that every promise has been kept. */
export async function checkAll(world: World, servers: Servers, link: Link, answers: Answers): Promise<void> {
  for (const answered of answers.checkouts()) await checkKnown(world, link, answered)
  await countUnresolved(world, servers)
  checkLapses(world)
  await bindByHand(world, servers)
  // Another server may be delivering the resulting events just now.
  await world.time.sleep(minuteMs)
  await watchOnce(world, servers)
  checkClaims(world)
  checkMerchant(world)
  checkStrays(world)
  checkPurchases(world)
  checkCreations(world)
  checkAsked(world)
  await checkNothingLeft(world, servers)
}

/** Checks that a checkout can still be read as a browser was shown it. */
async function checkKnown(
  world: World,
  link: Link,
  { id, key, reference, address, tag }: AnsweredCheckout,
): Promise<void> {
  const window = createDevice(world, steadyDevice, { name: id, hash: '', reportError: () => undefined }, (isOnline) =>
    link.connect({ reference, address: addressOf(world.plan.seed, id), isOnline }),
  ).window
  const answer = await createApi('/paywindow', undefined, window)
    .read(id, key, new AbortController().signal)
    .catch(() => undefined)
  if (answer?.kind !== 'status' || answer.checkout.address !== address || answer.checkout.tag !== tag)
    world.findings.violate('lost', `checkout ${id} was shown to a browser and cannot be read at the end`)
}

async function countUnresolved(world: World, servers: Servers): Promise<void> {
  const { findings, ledger } = world
  const server = servers.pick()?.server
  for (const { id } of (await server?.checkouts.list({ only: 'unresolved', limit: 1_000 })) ?? []) {
    findings.count('unresolved')
    findings.count(`unresolved: ${reasonOf(ledger.whyUnresolved(id))}`)
    if (!ledger.heardUnresolved(id)) findings.violate('unresolved, unreported', `checkout ${id}`)
    if (isOneOfAKind(world, id)) findings.violate('known, called unknown', `checkout ${id}`)
  }
}

/** Whether the checkout's order shows what was asked for, and no equal one is near in time. */
function isOneOfAKind({ audit, oracle, shown }: World, id: string): boolean {
  const instructions = audit.checkouts.get(id)?.instructions
  const own = instructions && oracle.at(instructions.address, instructions.tag)?.now()
  if (own && shown.paidOtherwise(own.id)) return false
  return own !== undefined && own !== null && oracle.all().filter((each) => isEqual(each.now(), own)).length === 1
}

function isEqual(left: SandboxOrder, right: SandboxOrder): boolean {
  const apartMs = Math.abs(left.createdAtMs - right.createdAtMs)
  return (
    left.sourceAsset === right.sourceAsset &&
    left.targetAsset === right.targetAsset &&
    equalDecimals(left.targetAmount, right.targetAmount) &&
    apartMs < 15 * minuteMs
  )
}

function reasonOf(message: string): string {
  if (message.includes(' or ')) return 'several equal orders'
  const mismatch = /Nearest mismatch: (.*)\.$/.exec(message)?.[1] ?? message
  return mismatch.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replaceAll(/\d[\d.:TZ-]*/g, '…')
}

/** Binds unresolved checkouts as a merchant does, who can identify each order at the service. */
async function bindByHand({ findings, oracle }: World, servers: Servers): Promise<void> {
  const server = servers.pick()?.server
  for (const { id, deposit } of (await server?.checkouts.list({ only: 'unresolved', limit: 1_000 })) ?? []) {
    const order = deposit && oracle.at(deposit.address, deposit.tag)
    if (!order) continue
    try {
      await server?.bind(id, order.id)
      findings.count('bound by hand')
    } catch (error) {
      findings.violate('unexpected error', `checkout ${id} cannot be bound to its own order by hand: ${error}`)
    }
  }
}

/**
 * Checks that the merchant hears by id of each paid order whose checkout the store has lost. Orders
 * from before the store are left out.
 */
function checkStrays({ oracle, audit, backups, ledger, findings }: World): void {
  const record = backups.record(straysKind.keyOf(''))
  const sinceMs = (record && straysKind.parse(record).sinceMs) ?? 0
  const bound = new Set([...audit.checkouts.values()].map(({ binding }) => binding?.orderId))
  for (const { id, post, now } of oracle.all()) {
    const { status, createdAtMs } = now()
    const isPaid = status === 'pending' || status === 'confirmed'
    if (!post || !isPaid || bound.has(id) || createdAtMs < sinceMs) continue
    if (!ledger.heardStray(id)) findings.violate('paid, known to nobody', `order ${id}, ${status}`)
  }
}

/** Checks that no other checkout could be bound to the order of a bound checkout. */
function checkClaims({ findings, audit, backups, keyPrefix }: World): void {
  for (const { id, binding } of audit.checkouts.values()) {
    const ownerId = binding && backups.record(`${keyPrefix}order ${binding.orderId}`)?.value
    if (binding && ownerId !== id)
      findings.violate('bound, not claimed', `checkout ${id}: order ${binding.orderId} is claimed by ${ownerId}`)
  }
}

/** Whether the merchant was told what kind of arrival is known of an order that is not paid. */
function isArrivalTold({ status, arrival }: CheckoutRecord, events: readonly StatusEvent[]): boolean {
  if (!arrival || status === 'confirmed' || arrival.kind === 'exact') return true
  if (status === 'canceled' && arrival.kind !== 'returning') return true
  return events.some((event) => event.status === status && event.checkout.arrival?.kind === arrival.kind)
}

/** Checks that each order's status was delivered, and that carts paid twice were reported. */
function checkMerchant({ plan, findings, oracle, audit, ledger, carts }: World): void {
  const paid = new Map<string, number>()
  /** Whether the merchant was given the id of an order whose checkout nobody can know. */
  const isNamed = (orderId: string, status: string) => {
    const holder = [...audit.checkouts.values()].find(({ binding }) => binding?.orderId === orderId)
    return (
      holder?.binding?.evidence === 'all_paid' && ledger.whyUnresolved(holder.id).includes(`${orderId} is ${status}`)
    )
  }
  for (const order of oracle.all()) {
    const checkout = oracle.isFirst(order) ? audit.checkoutAt(order.address, order.tag) : undefined
    if (!checkout) continue
    const { status } = order.now()
    const events = ledger.eventsOf(checkout.id)
    const delivered = ledger.statusOf(checkout.id)
    if (status === 'confirmed') findings.count('orders paid')
    if (status === 'confirmed' && !events.some((event) => event.status === 'confirmed'))
      findings.violate('paid, not delivered', `checkout ${checkout.id}: ${delivered}`)
    else if (delivered !== status && !isNamed(order.id, status))
      findings.violate('delivered wrongly', `checkout ${checkout.id} is ${status}, delivered was ${delivered}`)
    if (!isArrivalTold(checkout, events))
      findings.violate('delivered wrongly', `checkout ${checkout.id}: ${checkout.arrival?.kind} was never told`)
    const told = events.filter((event) => event.status === 'confirmed').length
    // After a restore a change may be told again, and so may an order that was another's.
    const isOnce = !plan.restores && checkout.excluded.length === 0 && !order.statuses.has('canceled')
    if (isOnce && told > 1)
      findings.violate('delivered wrongly', `checkout ${checkout.id} was told as paid ${told} times`)
    if (status === 'confirmed') paid.set(checkout.reference, (paid.get(checkout.reference) ?? 0) + 1)
  }
  for (const [reference, count] of paid) {
    if (count < 2) continue
    findings.count('carts paid twice')
    if (!ledger.heardPaidTwice(reference)) findings.violate('paid twice, unreported', `${reference} (${carts.size})`)
  }
}

async function checkNothingLeft({ findings }: World, servers: Servers): Promise<void> {
  const untold = (await servers.pick()?.server.checkouts.list({ only: 'untold', limit: 1_000 })) ?? []
  for (const { id } of untold) findings.violate('paid, not delivered', `checkout ${id} has untold events at the end`)
}
