/** How many polls one process can answer at most. */
import { table } from '../../report.ts'
import { type Figures, type MostFigures, timesOf } from '../figures.ts'
import { pollOf, saturate } from '../load.ts'
import type { Plan } from '../plan.ts'
import { inShop, seedOpen, usual } from '../shop.ts'

/** Measures a shop whose checkouts are all watched. */
export async function measureMost({ open, most: plan }: Plan): Promise<Partial<Figures>> {
  const most = await inShop('most', usual, async (shop): Promise<MostFigures> => {
    const { browsers } = await seedOpen(shop, open)
    await shop.watch()
    const ask = (number: number) => pollOf(shop.port, browsers[number % browsers.length] ?? { id: '', key: '' })
    await saturate(plan.warmUpSeconds, ask)
    const times = await saturate(plan.seconds, ask)
    return { orders: open, perSecond: times.length / plan.seconds, answerMs: timesOf(times) }
  })
  return { most: [most] }
}

/** One row. */
export function mostTable(rows: readonly MostFigures[]): string {
  return table(
    ['', 'a second', '50th ms', '95th ms', '99th ms'],
    rows.map(({ orders, perSecond, answerMs: { median, p95, p99 } }) => [
      `${orders} orders, watched`,
      perSecond.toFixed(0),
      ...[median, p95, p99].map((ms) => ms.toFixed(2)),
    ]),
  )
}
