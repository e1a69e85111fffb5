/** Ten thousand browsers, creations meanwhile, and one order in ten paid. */
import { type Row, table } from '../../report.ts'
import { errorText, type Figures, type PollFigures, secondsText, type Times, timesOf } from '../figures.ts'
import { createLoad, type Load, type Seen } from '../load.ts'
import type { MerchantCount, ServiceCount } from '../messages.ts'
import { measuredPolls, type Plan, type PollCase } from '../plan.ts'
import { inShop, pause, type Shop, seedOpen } from '../shop.ts'

/** Browsers that go on until each payment was shown poll for so long at a time. */
const roundSeconds = 1
const readNames: readonly string[] = ['read', 'readMany', 'list', 'listDue']

/** Measures one row after the other, each with a service and a server of its own. */
export async function measurePolls(plan: Plan): Promise<Partial<Figures>> {
  const polls: PollFigures[] = []
  for (const each of measuredPolls(plan).filter(({ name }) => name.includes(plan.row)))
    polls.push(await inShop(each.name, each.setup, (shop) => pollRow(shop, each, plan)))
  return { polls }
}

/** Measures one row in a shop of its own, whose servers start again once it is filled. */
export async function pollRow(empty: Shop, wanted: PollCase, { polls: plan }: Plan): Promise<PollFigures> {
  const { orders, browsers } = await seedOpen(empty, wanted.orders)
  // A process that has just stored so much keeps memory that a server does not need.
  await empty.stop()
  const shop = await empty.start()
  if (wanted.isWatched) await shop.watch()
  const load = createLoad(shop.ports, browsers.slice(-wanted.browsers), plan.everyMs)
  await load.press({ seconds: plan.warmUpSeconds, creationsPerSecond: 0 })
  await Promise.all([shop.service({ kind: 'count' }), shop.count()])
  // A tenth of the orders with a polling browser.
  const indexes = browsers.flatMap((_, at) => (at % 10 === 0 && at >= browsers.length - wanted.browsers ? [at] : []))
  const ids = indexes.map((at) => browsers[at]?.id ?? '')
  const paying = pay(
    shop,
    indexes.map((at) => orders[at]?.id ?? ''),
    wanted.seconds / 2,
  )
  const seen = await load.press(wanted)
  const [service, merchant] = await Promise.all([shop.service<ServiceCount>({ kind: 'count' }), shop.count()])
  const paidAtMs = await paying
  const told = await untilShown(shop, load, ids, plan.shownWithinSeconds)
  load.end()
  const ages = (atMs: (id: string) => number | undefined) =>
    timesOf(
      ids.flatMap((id, at) => ((atMs(id) ?? Number.NaN) - (paidAtMs[at] ?? 0)) / 1_000).filter((age) => age >= 0),
      ids.length,
    )
  return {
    ...figuresOf(wanted, seen, service, merchant),
    paid: ids.length,
    shownSeconds: ages((id) => load.shownAtMs.get(id)),
    toldSeconds: ages((id) => told[id]),
  }
}

/** A few at a time, spread over the time. Resolves with when each was paid. */
async function pay(shop: Shop, ids: readonly string[], seconds: number): Promise<readonly number[]> {
  const size = Math.ceil(ids.length / seconds)
  const times: number[] = []
  for (let at = 0; at < ids.length; at += size) {
    const some = ids.slice(at, at + size)
    const paidAtMs = await shop.service<number>({ kind: 'pay', ids: some })
    times.push(...some.map(() => paidAtMs))
    await pause(1)
  }
  return times
}

/** Browsers poll on until each payment was shown and told. Resolves with when each was told. */
async function untilShown(shop: Shop, load: Load, ids: readonly string[], seconds: number) {
  const endsAt = performance.now() + seconds * 1_000
  for (;;) {
    const { paidAtMs } = await shop.count()
    const isOver = ids.every((id) => load.shownAtMs.has(id) && paidAtMs[id] !== undefined)
    if (isOver || performance.now() > endsAt) return paidAtMs
    await load.press({ seconds: roundSeconds, creationsPerSecond: 0 })
  }
}

function figuresOf(
  { name, orders, browsers, seconds }: PollCase,
  seen: Seen,
  { pages, details, creations, refused }: ServiceCount,
  { stallMs, stall99Ms, longestSqlMs, memoryMb, diskMb, store, statements, transactions }: MerchantCount,
): Omit<PollFigures, 'paid' | 'shownSeconds' | 'toldSeconds'> {
  const polls = seen.polls.length
  const calls = (names: readonly string[]) => names.reduce((sum, each) => sum + (store[each] ?? 0), 0)
  return {
    name,
    orders,
    browsers,
    seconds,
    perSecond: seen.pollsInTime / seconds,
    answerMs: timesOf(seen.polls),
    errors: seen.errors,
    unchanged: seen.unchanged / polls,
    perRequest: polls / (pages + details + creations + refused),
    pagesPerSecond: pages / seconds,
    stallMs,
    stall99Ms,
    longestSqlMs,
    memoryMb,
    diskMb,
    callsEach: calls(Object.keys(store)) / polls,
    readsEach: calls(readNames) / polls,
    statementsEach: statements / polls,
    transactionsPerSecond: transactions / seconds,
  }
}

/** What browsers saw, and how old a status was. */
export function pollTables(rows: readonly PollFigures[]): string {
  const seen = [
    'orders',
    'polls answered a second',
    '50th ms',
    '95th ms',
    '99th ms',
    'errors',
    'answered 304',
    'polls a request',
  ]
  const aged = ['paid', 'shown 50th s', '99th s', 'last s', 'told 50th s', '99th s', 'last s']
  const age = ({ median, p99, last }: Times) => [median, p99, last].map(secondsText)
  return [
    tableOf(rows, seen, (each) => [
      each.orders,
      each.perSecond.toFixed(0),
      ...[each.answerMs.median, each.answerMs.p95, each.answerMs.p99].map((ms) => ms.toFixed(0)),
      errorText(each.errors),
      `${(each.unchanged * 100).toFixed(1)} %`,
      each.perRequest.toFixed(1),
    ]),
    'The age of a status, from the payment at the service to the first poll that shows it, and to `onStatusChange`:',
    tableOf(rows, aged, (each) => [each.paid, ...age(each.shownSeconds), ...age(each.toldSeconds)]),
  ].join('\n\n')
}

/** What the server took meanwhile, for all of its work. */
export function costTable(rows: readonly PollFigures[]): string {
  const heads = [
    'stall ms',
    '99th stall ms',
    'longest SQL ms',
    'MB',
    'disk MB',
    'store calls a poll',
    'reads a poll',
    'statements a poll',
    'transactions a second',
  ]
  return tableOf(rows, heads, (each) => [
    ...[each.stallMs, each.stall99Ms, each.longestSqlMs, each.memoryMb, each.diskMb].map((value) => value.toFixed(0)),
    ...[each.callsEach, each.readsEach, each.statementsEach].map((value) => value.toFixed(2)),
    each.transactionsPerSecond.toFixed(1),
  ])
}

function tableOf(rows: readonly PollFigures[], heads: readonly string[], cells: (figures: PollFigures) => Row): string {
  return table(
    ['', ...heads],
    rows.map((each) => [each.name, ...cells(each)]),
  )
}
