/** Checkouts as a server would have stored them: ten thousand without ten thousand requests. */
import { newCheckout } from '../../../src/server/core/transitions.ts'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import { someInstructions } from '../../../src/server/records/records.testing.ts'
import type { Repository } from '../../../src/server/records/repository.ts'
import type { Browser, SeedOrder, Span } from './messages.ts'

/** Paid orders are looked at for this long, at least every half hour; open ones more often. */
const afterwardsMs = 72 * 3_600_000
const leastPauseMs = { open: 5_000, paid: 30 * 60_000 } as const
/** Records that are stored side by side. */
const atOnce = 100

/** Stores the checkouts of orders with their carts. Resolves with the browsers that show them. */
export async function seedRecords(
  repository: Repository,
  orders: readonly SeedOrder[],
  { account, isPaid, firstNumber }: Omit<Seed, 'number'> & { readonly firstNumber: number },
): Promise<readonly Browser[]> {
  const browsers: Browser[] = []
  for (let at = 0; at < orders.length; at += atOnce) {
    const some = orders.slice(at, at + atOnce)
    const seeded = some.map((order, number) =>
      seedRecord(repository, order, { account, isPaid, number: firstNumber + at + number }),
    )
    browsers.push(...(await Promise.all(seeded)))
  }
  return browsers
}

/** Paid orders that the service need not know: nobody asks for them again. Oldest first. */
export function finishedOrders(count: number, { fromAgoMs, toAgoMs }: Span): readonly SeedOrder[] {
  const nowMs = Date.now()
  return Array.from({ length: count }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    address: `bc1qfinished${String(at).padStart(30, '0')}`,
    amount: '0.00054321',
    price: '49.90',
    createdAtMs: Math.round(nowMs - fromAgoMs + ((fromAgoMs - toAgoMs) * at) / count),
  }))
}

interface Seed {
  /** As `accountName` says it. */
  readonly account: string
  readonly isPaid: boolean
  readonly number: number
}

async function seedRecord(
  repository: Repository,
  order: SeedOrder,
  { account, isPaid, number }: Seed,
): Promise<Browser> {
  const { createdAtMs: nowMs } = order
  const id = `${nowMs.toString(36).padStart(9, '0')}${number.toString(36).padStart(12, '0')}`
  const key = `k${String(number).padStart(31, '0')}`
  const attemptId = `attempt-${String(number).padStart(24, '0')}`
  const reference = `seed-${number}`
  const method = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
  const price = { asset: 'USD', amount: order.price }
  const terms = { price, merchant: { name: 'Lantern Books' }, methodCount: 1 }
  const window = { fromMs: nowMs - 1_000, toMs: nowMs + 2_000 }
  await repository.createCheckout({
    ...newCheckout({ id, key, reference, method, terms, test: true, createdAtMs: nowMs, account }),
    attempts: [{ id: attemptId, sentAtMs: nowMs, outcome: 'answered', after: [], window }],
    instructions: {
      ...someInstructions,
      attemptId,
      amount: order.amount,
      address: order.address,
      sentAtMs: nowMs,
      expiresAtMs: nowMs + 20 * 60_000,
      expTime: '1200',
    },
    binding: { orderId: order.id, evidence: 'timestamp', boundAtMs: nowMs, isProvisional: false },
    ...(isPaid && paid(nowMs)),
    nextLookAtMs: nextLookAtMs(nowMs, number, isPaid),
  })
  await repository.claimOrder(order.id, id)
  await repository.updateCart(reference, (cart) => ({
    ...cart,
    chosen: 'BTC bitcoin',
    entries: [{ id, method: 'BTC bitcoin', price, createdAtMs: nowMs, endedAtMs: null, successor: null }],
  }))
  return { id, key }
}

/** What a payment leaves in a record. */
function paid(atMs: number): Partial<CheckoutRecord> {
  const at = new Date(atMs).toISOString()
  return {
    status: 'confirmed',
    statusAsOfMs: atMs,
    history: [
      { status: 'pending', phase: 'seen', at },
      { status: 'confirmed', phase: 'paid', at },
    ],
    revision: 4,
    eventCount: 2,
  }
}

/** Due within the pause between two looks, as in a server that has run all the time. */
function nextLookAtMs(createdAtMs: number, number: number, isPaid: boolean): number | null {
  const ageMs = Date.now() - createdAtMs
  if (isPaid && ageMs > afterwardsMs) return null
  const share = ((number * 7_919) % 1_000) / 1_000
  return Math.round(Date.now() + share * Math.max(leastPauseMs[isPaid ? 'paid' : 'open'], ageMs / 10))
}
