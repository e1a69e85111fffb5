/** Unpaid checkouts of the last months, in the store of a server that was down. All are due. */
import { newCheckout } from '../../../src/server/core/transitions.ts'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import { someInstructions } from '../../../src/server/records/records.testing.ts'
import { createRepository } from '../../../src/server/records/repository.ts'
import { accountName } from '../../../src/server/store/store-calls.ts'
import { createRandomStream } from '../world/random.ts'
import type { World } from '../world/types.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Fills the store before the first server starts. */
export async function fillWithOld(world: World): Promise<void> {
  const { plan, time, findings } = world
  const random = createRandomStream(plan.seed, 'old checkouts')
  for (let number = 0; number < plan.strain.unpaid; number++) {
    const ageMs = random.between(60, 80 * 24 * 60) * minuteMs
    const checkout = await addOld(world, number, ageMs)
    findings.count('old checkouts')
    if (!random.chance(0.1)) continue
    findings.count('old checkouts that were paid')
    if (random.chance(0.5)) pay(world, checkout)
    else void time.sleep(random.between(0, plan.spanMs)).then(() => pay(world, checkout))
  }
}

/** Stores a checkout as a server would have written it `ageMs` ago and not changed since. */
async function addOld(world: World, number: number, ageMs: number): Promise<CheckoutRecord> {
  const { plan, time, audit } = world
  const createdAtMs = time.nowMs() - ageMs
  // As servers make ids: newer ids sort later, so a reading can stop at old ones.
  const id = `${createdAtMs.toString(36).padStart(9, '0')}${plan.number.toString().padStart(5, '0')}${String(number).padStart(7, '0')}`
  const attemptId = `attempt of ${id}`
  const price = { asset: 'USD', amount: `${number + 1}.${String((number % 89) + 11)}` }
  const { order, serviceMs } = await orderThen(world, ageMs, { checkoutId: id, attemptId }, price)
  const method = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
  const terms = { price, merchant: { name: 'Lantern Books' }, methodCount: 1 }
  const account = accountName(world.access)
  const base = newCheckout({ id, key: `key of ${id}`, reference: id, method, terms, test: true, createdAtMs, account })
  const checkout: CheckoutRecord = {
    ...base,
    attempts: [
      {
        id: attemptId,
        sentAtMs: createdAtMs,
        outcome: 'answered',
        after: [],
        window: { fromMs: serviceMs - 1_000, toMs: serviceMs + 2_000 },
      },
    ],
    instructions: {
      ...someInstructions,
      attemptId,
      amount: order.sourceAmount,
      address: order.address ?? '',
      sentAtMs: createdAtMs,
      expiresAtMs: createdAtMs + 20 * minuteMs,
    },
    binding: { orderId: order.id, evidence: 'timestamp', boundAtMs: createdAtMs, isProvisional: false },
    history: [{ status: 'open', phase: 'waiting', at: new Date(createdAtMs).toISOString() }],
    // The server has been down for the last day.
    nextLookAtMs: Math.max(createdAtMs, time.nowMs() - dayMs),
  }
  const repository = createRepository(audit.store)
  await repository.claimOrder(order.id, id)
  await repository.createCheckout(checkout)
  return checkout
}

/** Creates an order as if `ageMs` ago. `serviceMs`: that time by the service's clock. */
async function orderThen(
  { time, sandbox, oracle }: World,
  ageMs: number,
  intent: { readonly checkoutId: string; readonly attemptId: string },
  price: { readonly asset: string; readonly amount: string },
) {
  const post = {
    intent,
    sentMs: time.nowMs() - ageMs,
    senderIsAlive: () => false,
    senderAheadMs: 0,
    senderPausedMs: () => 0,
    inFlight: false,
    orders: 0,
    serviceForwardMs: 0,
    laterMs: 0,
  }
  sandbox.clock.advance(-ageMs)
  const order = await oracle.during(post, async () =>
    sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: price.asset, targetAmount: price.amount }),
  )
  const serviceMs = sandbox.clock.now()
  sandbox.clock.advance(ageMs)
  return { order, serviceMs }
}

function pay({ sandbox, oracle }: World, { binding, instructions }: CheckoutRecord): void {
  const order = oracle.order(binding?.orderId ?? '')
  // Some services cancel orders that nobody paid.
  if (!order || !instructions || order.now().status !== 'open') return
  oracle.note()
  sandbox.payer.deposit({ address: instructions.address, tag: instructions.tag, amount: instructions.amount })
  oracle.note()
  if (order.now().workflow === 'late') sandbox.payer.acceptLate(order.id)
  else if (order.now().workflow === 'detected') sandbox.payer.confirm(order.id)
  oracle.note()
}
