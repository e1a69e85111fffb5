/** Without browsers: how long after a payment the merchant's code hears of it. */
import { type Row, table } from '../../report.ts'
import { type Figures, secondsText, type ToldFigures, timesOf } from '../figures.ts'
import { fewPerSecond, type Plan } from '../plan.ts'
import { inShop, pause, type Shop, seedOpen, usual } from '../shop.ts'

const ordersPerPage = 100

/** Each payment has its own service and server. @param random - Draws the moments of payment. */
export async function measureTold({ open, told: plan }: Plan, random: () => number): Promise<Partial<Figures>> {
  const told: ToldFigures[] = []
  for (const perSecond of [null, fewPerSecond]) {
    const setup = { ...usual, perSecond, requestsPerSecond: perSecond ?? usual.requestsPerSecond }
    for (let phase = 0; phase < plan.phases; phase++) {
      const span = plan.phaseSeconds[perSecond === null ? 'unlimited' : 'limited']
      const afterSeconds = plan.settleSeconds + random() * span
      await inShop(`told, ${afterSeconds.toFixed(1)} s`, setup, async (shop) => {
        const pages = Math.ceil(open / ordersPerPage)
        const leastSeconds = perSecond === null ? null : pages / perSecond
        const toldSeconds = await payment(shop, open, plan, afterSeconds)
        told.push({ perSecond, afterSeconds, paid: plan.paid, toldSeconds, leastSeconds, pages })
      })
    }
  }
  return { told }
}

async function payment(shop: Shop, open: number, { paid, withinSeconds }: Plan['told'], afterSeconds: number) {
  const { browsers, orders } = await seedOpen(shop, open)
  await shop.watch()
  await pause(afterSeconds)
  const each = Math.floor(open / paid)
  const indexes = Array.from({ length: paid }, (_, at) => at * each)
  const ids = indexes.map((at) => browsers[at]?.id ?? '')
  const paidAtMs = await shop.service<number>({ kind: 'pay', ids: indexes.map((at) => orders[at]?.id ?? '') })
  for (;;) {
    await pause(1)
    const { paidAtMs: toldAtMs } = await shop.count()
    const times = ids.flatMap((id) => toldAtMs[id] ?? []).map((atMs) => (atMs - paidAtMs) / 1_000)
    if (times.length === paid || Date.now() > paidAtMs + withinSeconds * 1_000) return timesOf(times, paid)
  }
}

/** One row for each payment, and how the least is computed. */
export function toldTable(rows: readonly ToldFigures[]): string {
  const heads = ['paid after s of watching', 'told', '50th s', '99th s', 'last s', 'least possible s', 'last / least']
  const cells = ({ perSecond, afterSeconds, toldSeconds, leastSeconds }: ToldFigures): Row => [
    perSecond === null ? 'no limit' : `${perSecond} requests a second, more get 429`,
    afterSeconds.toFixed(1),
    toldSeconds.count,
    ...[toldSeconds.median, toldSeconds.p99, toldSeconds.last].map(secondsText),
    leastSeconds?.toFixed(1) ?? '',
    leastSeconds === null ? '' : (toldSeconds.last / leastSeconds).toFixed(2),
  ]
  const limited = rows.find(({ leastSeconds }) => leastSeconds !== null)
  const why =
    limited &&
    `The paid orders are spread over the list, and nothing says on which page one is. So all ${limited.pages} pages have to be read, and ` +
      `at ${limited.perSecond} requests a second that takes ${limited.pages} / ${limited.perSecond} = ${limited.leastSeconds?.toFixed(1)} s at least.`
  return [table(['', ...heads], rows.map(cells)), ...(why ? [why] : [])].join('\n\n')
}
