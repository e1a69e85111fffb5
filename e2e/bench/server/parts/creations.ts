/** Payers who come anew, in a shop where many checkouts are open. */
import { table } from '../../report.ts'
import { type CreationFigures, errorText, type Figures, timesOf } from '../figures.ts'
import { createLoad, type Seen } from '../load.ts'
import type { ServiceCount, Unbound } from '../messages.ts'
import type { Plan } from '../plan.ts'
import { inShop, pause, type Shop, seedOpen, usual } from '../shop.ts'

/** What the prices are, and whether a time proves whose an order is. */
interface CreationCase {
  readonly equalPrices: boolean
  readonly provesByTime: boolean
}

/** Old enough to be looked at evenly all the time, and young enough to stay so. */
const openSpan = { fromAgoMs: 26 * 60_000, toAgoMs: 14 * 60_000 }
const cases: readonly CreationCase[] = [
  { equalPrices: false, provesByTime: true },
  { equalPrices: true, provesByTime: true },
  { equalPrices: false, provesByTime: false },
  { equalPrices: true, provesByTime: false },
]

/** Measures equal and different prices, with and without a time that proves an order. */
export async function measureCreations(plan: Plan): Promise<Partial<Figures>> {
  const creations: CreationFigures[] = []
  for (const each of cases.filter((one) => nameOf(one).includes(plan.row)))
    creations.push(await inShop(nameOf(each), { ...usual, ...each }, (shop) => creationRow(shop, each, plan)))
  return { creations }
}

/** Measures one row. */
export async function creationRow(
  shop: Shop,
  { equalPrices, provesByTime }: CreationCase,
  plan: Plan,
): Promise<CreationFigures> {
  const { perSecond, seconds, settleSeconds, idleSeconds } = plan.creations
  await seedOpen(shop, plan.open, openSpan)
  await shop.watch()
  await pause(settleSeconds)
  await takenSince(shop)
  const beganAt = performance.now()
  await pause(idleSeconds)
  const idle = await takenSince(shop)
  const idleForMs = performance.now() - beganAt
  const load = createLoad(shop.ports, [], plan.polls.everyMs)
  const pressedAt = performance.now()
  const seen = await load.press({ seconds, creationsPerSecond: perSecond })
  load.end()
  const bound = await untilBound(shop, plan.creations, provesByTime)
  const busy = await takenSince(shop)
  const idleTimes = (performance.now() - pressedAt) / idleForMs
  const each = (name: keyof Taken) => (busy[name] - idle[name] * idleTimes) / seen.creations.length
  return {
    name: nameOf({ equalPrices, provesByTime }),
    isProved: provesByTime,
    perSecond,
    ...times(seen),
    requestsEach: each('requests'),
    allRequestsEach: busy.requests / seen.creations.length,
    callsEach: each('calls'),
    statementsEach: each('statements'),
    transactionsEach: each('transactions'),
    busyMsEach: each('busyMs'),
    open: plan.open,
    idleBusyMsPerSecond: (idle.busyMs * 1_000) / idleForMs,
    ...bound,
  }
}

function nameOf({ equalPrices, provesByTime }: CreationCase): string {
  return `${equalPrices ? 'one price' : 'different prices'}, ${provesByTime ? 'proof by time' : 'no proof'}`
}

function times({ creations, errors }: Seen) {
  return { beyondMs: timesOf(creations.map((ms) => ms - usual.latencyMs)), errors }
}

/** Looks every second. */
async function untilBound(shop: Shop, { boundWithinSeconds, unprovedSeconds }: Plan['creations'], isProved: boolean) {
  const withinSeconds = isProved ? boundWithinSeconds : unprovedSeconds
  const beganAt = performance.now()
  for (;;) {
    const found = await shop.merchant<Unbound>({ kind: 'unbound' })
    // Where nothing is proved, it makes no difference which times are equal.
    const [unbound, alike] = [found.count, isProved ? found.alike : 0]
    const boundSeconds = (performance.now() - beganAt) / 1_000
    if (unbound === alike || boundSeconds >= withinSeconds) return { unbound, alike, boundSeconds }
    await pause(1)
  }
}

type Taken = Awaited<ReturnType<typeof takenSince>>

async function takenSince(shop: Shop) {
  const { pages, details, creations, refused } = await shop.service<ServiceCount>({ kind: 'count' })
  const { store, statements, transactions, busyMs } = await shop.count()
  const calls = Object.values(store).reduce((sum, each) => sum + each, 0)
  return { requests: pages + details + creations + refused, calls, statements, transactions, busyMs }
}

/** One row for each kind. */
export function creationTable(rows: readonly CreationFigures[]): string {
  const heads = [
    'created',
    '50th ms',
    '95th ms',
    '99th ms',
    'errors',
    'requests each',
    'with those of idle times',
    'store calls each',
    'statements each',
    'transactions each',
    'event loop ms each',
    'idle event loop ms in a second',
    'all bound after s',
    'not bound',
    'of these in one ms',
  ]
  return table(
    ['', ...heads],
    rows.map((each) => [
      each.name,
      each.beyondMs.count,
      ...[each.beyondMs.median, each.beyondMs.p95, each.beyondMs.p99].map((ms) => ms.toFixed(0)),
      errorText(each.errors),
      ...[
        each.requestsEach,
        each.allRequestsEach,
        each.callsEach,
        each.statementsEach,
        each.transactionsEach,
        each.busyMsEach,
      ].map((value) => value.toFixed(1)),
      each.unbound === each.alike ? each.boundSeconds.toFixed(0) : '',
      each.unbound,
      each.isProved ? each.alike : '',
    ]),
  )
}
