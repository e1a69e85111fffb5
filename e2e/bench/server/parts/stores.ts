/** The same shop on each kind of store, with one server and with two. */
import { type StoreKind, storeKinds, whyMissing } from '../../../stores/start-store.ts'
import { table } from '../../report.ts'
import { errorText, type Figures, type StoreFigures, secondsText } from '../figures.ts'
import { type Plan, pollCases } from '../plan.ts'
import { inShop, usual } from '../shop.ts'
import { creationRow } from './creations.ts'
import { pollRow } from './polls.ts'

/** Measures polls and creations on each store of this machine, and names missing stores. */
export async function measureStores(plan: Plan): Promise<Partial<Figures>> {
  const stores: StoreFigures[] = []
  for (const kind of storeKinds) {
    const why = whyMissing(kind)
    if (why === undefined) for (const servers of [1, 2]) stores.push(await measured(kind, servers, plan))
    else console.error(`NOT MEASURED: ${kind}. ${why}`)
  }
  return { stores }
}

async function measured(store: StoreKind, servers: number, { stores, ...plan }: Plan): Promise<StoreFigures> {
  const name = `${store}, ${servers === 1 ? 'one server' : `${servers} servers`}`
  const setup = { ...usual, store, servers }
  const [usualPolls] = pollCases({ stores, ...plan })
  const wanted = { ...usualPolls, name, setup, seconds: stores.pollSeconds }
  const creations = { ...plan.creations, seconds: stores.creationSeconds }
  return {
    name,
    polls: await inShop(`${name}: polls`, setup, (shop) => pollRow(shop, wanted, { stores, ...plan })),
    creations: await inShop(`${name}: creations`, setup, (shop) =>
      creationRow(shop, { equalPrices: false, provesByTime: true }, { stores, ...plan, creations }),
    ),
  }
}

/** One row for each store and number of servers. */
export function storeTable(rows: readonly StoreFigures[]): string {
  const heads = [
    'polls answered a second',
    '50th ms',
    '99th ms',
    'errors',
    'requests to the service a second',
    'statements a poll',
    'stall ms',
    'MB',
    'told 99th s',
    'creation 99th ms',
    'errors',
    'statements each',
    'requests each',
    'not bound',
  ]
  return table(
    ['', ...heads],
    rows.map(({ name, polls, creations }) => [
      name,
      ...[polls.perSecond, polls.answerMs.median, polls.answerMs.p99].map((value) => value.toFixed(0)),
      errorText(polls.errors),
      (polls.answerMs.count / polls.perRequest / polls.seconds).toFixed(1),
      polls.statementsEach.toFixed(2),
      ...[polls.stallMs, polls.memoryMb].map((value) => value.toFixed(0)),
      secondsText(polls.toldSeconds.p99),
      creations.beyondMs.p99.toFixed(0),
      errorText(creations.errors),
      ...[creations.statementsEach, creations.requestsEach].map((value) => value.toFixed(1)),
      creations.unbound - creations.alike,
    ]),
  )
}
