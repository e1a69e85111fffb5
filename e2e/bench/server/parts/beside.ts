/** What one process can answer at most, beside what does less. */
import type { RequestOptions } from 'node:http'
import { table } from '../../report.ts'
import { type BesideFigures, type Figures, own, timesOf } from '../figures.ts'
import { pollOf, saturate } from '../load.ts'
import type { Plan } from '../plan.ts'
import { inShop, type Shop, seedOpen, usual } from '../shop.ts'

/** Measures a fast service with few orders, and the usual one with many while all are watched. */
export async function measureBeside({ open, beside: plan }: Plan): Promise<Partial<Figures>> {
  const beside: BesideFigures[] = []
  for (const { latencyMs, orders, isWatched } of [
    { latencyMs: 0, orders: plan.few, isWatched: false },
    { latencyMs: usual.latencyMs, orders: open, isWatched: true },
  ]) {
    await inShop(`beside, ${latencyMs} ms`, { ...usual, latencyMs }, async (shop) => {
      const asked = await servers(shop, orders)
      if (isWatched) await shop.watch()
      const rows: BesideFigures['rows'][number][] = []
      for (const [name, ask] of Object.entries(asked)) {
        await saturate(plan.warmUpSeconds, ask)
        const times = await saturate(plan.seconds, ask)
        rows.push({ name, perSecond: times.length / plan.seconds, answerMs: timesOf(times) })
      }
      beside.push({ latencyMs, orders, isWatched, rows })
    })
  }
  return { beside }
}

async function servers(
  shop: Shop,
  count: number,
): Promise<Readonly<Record<string, (number: number) => RequestOptions>>> {
  const { browsers, orders } = await seedOpen(shop, count)
  const { passThrough, smallest } = await shop.plain()
  const browser = (number: number) => browsers[number % browsers.length] ?? { id: '', key: '' }
  return {
    [own]: (number) => pollOf(shop.port, browser(number)),
    'reads a record, checks its key': (number) => pollOf(smallest, browser(number)),
    'bare pass-through to the service': (number) => ({
      port: passThrough,
      path: `/v1/orders/details/${orders[number % orders.length]?.id}`,
    }),
  }
}

/** One row for each server in each shop. */
export function besideTable(figures: readonly BesideFigures[]): string {
  return table(
    ['', 'a second', '50th ms', '95th ms', '99th ms'],
    figures.flatMap(({ latencyMs, orders, isWatched, rows }) =>
      rows.map(({ name, perSecond, answerMs: { median, p95, p99 } }) => [
        `${name}; ${latencyMs} ms, ${orders} orders${isWatched ? ', watched' : ''}`,
        perSecond.toFixed(0),
        ...[median, p95, p99].map((ms) => ms.toFixed(2)),
      ]),
    ),
  )
}
