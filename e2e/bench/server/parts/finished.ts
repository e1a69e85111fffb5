/** A start on the store of an old server, and what archiving makes of the file. */
import { table } from '../../report.ts'
import type { ArchiveFigures, Figures, FinishedFigures } from '../figures.ts'
import { pollOf, saturate } from '../load.ts'
import type { MerchantCount, SeedOrder, ServiceCount } from '../messages.ts'
import type { Plan } from '../plan.ts'
import { inShop, pause, type Shop, seedOpen, usual } from '../shop.ts'

const dayMs = 24 * 3_600_000
/** Age of finished checkouts in days. The first three days' are still looked at. */
const days = { least: 1, looked: 3, most: 40 } as const
/** Old enough to be archived. */
const archivedSpan = { fromAgoMs: 40 * dayMs, toAgoMs: 31 * dayMs }

/** Measures a start, and then a while of watching: looks, the sweep and a round of archiving. */
export async function measureFinished(plan: Plan): Promise<Partial<Figures>> {
  return { finished: [await inShop('finished', usual, (shop) => watched(shop, plan))] }
}

async function watched(
  shop: Shop,
  { open, finished: { count, watchSeconds, pages: pageCount } }: Plan,
): Promise<FinishedFigures> {
  await seedFinished(shop, count)
  const { browsers } = await seedOpen(shop, open)
  const { diskMb: seedMb } = await shop.count()
  await shop.stop()
  const beganAt = performance.now()
  const again = await shop.start()
  await saturate(0, () => pollOf(again.port, browsers[0] ?? { id: '', key: '' }))
  const startMs = performance.now() - beganAt
  await Promise.all([again.service({ kind: 'count' }), again.count()])
  await again.watch()
  await pause(watchSeconds)
  const taken = await again.count()
  const { pages, details } = await again.service<ServiceCount>({ kind: 'count' })
  const { stallMs, stall99Ms, longestSqlMs, memoryMb } = taken
  return {
    finished: count,
    open,
    seedMb,
    startMs,
    loadMs: again.loadMs,
    stallMs,
    stall99Ms,
    longestSqlMs,
    busyMsPerSecond: taken.busyMs / watchSeconds,
    memoryMb,
    details,
    pages,
    archivedPerMinute: taken.archived,
    sweepMsEach: await again.merchant<number>({ kind: 'read pages', count: pageCount }),
  }
}

async function seedFinished(shop: Shop, count: number): Promise<void> {
  const looked = Math.round((count * (days.looked - days.least)) / (days.most - days.least))
  const old = { fromAgoMs: days.most * dayMs, toAgoMs: days.looked * dayMs }
  await shop.merchant({ kind: 'seed finished', count: count - looked, span: old })
  const span = { fromAgoMs: days.looked * dayMs, toAgoMs: days.least * dayMs }
  const orders = await shop.service<readonly SeedOrder[]>({ kind: 'seed', count: looked, span, isPaid: true })
  await shop.merchant({ kind: 'seed', orders, isPaid: true })
}

/** Measures a file of checkouts that are all due for archiving, before and after. */
export async function measureArchive({ archived: count }: Plan): Promise<Partial<Figures>> {
  const archive: ArchiveFigures[] = []
  await inShop('archive', usual, async (shop) => {
    await shop.merchant({ kind: 'seed finished', count, span: archivedSpan })
    const { diskMb: beforeMb } = await emptied(shop)
    const archived = await shop.merchant<number>({ kind: 'archive' })
    const { diskMb: afterMb } = await shop.count()
    archive.push({ count, archived, beforeMb, afterMb })
  })
  return { archive }
}

/** Counts once the log is in the file. */
async function emptied(shop: Shop): Promise<MerchantCount> {
  await shop.merchant({ kind: 'empty log' })
  return shop.count()
}

/** The start, and the watching after it. */
export function finishedTable(rows: readonly FinishedFigures[]): string {
  const heads = [
    'until a poll is answered, ms',
    'of that, loading code',
    'longest stall ms',
    '99th stall ms',
    'longest SQL ms',
    'event loop ms in a second',
    'MB',
    'disk MB',
    'pages read',
    'details read',
    'archived in a round',
    'sweep, ms a checkout',
  ]
  return table(
    ['', ...heads],
    rows.map((each) => [
      `${each.finished} finished, ${each.open} open`,
      ...[
        each.startMs,
        each.loadMs,
        each.stallMs,
        each.stall99Ms,
        each.longestSqlMs,
        each.busyMsPerSecond,
        each.memoryMb,
        each.seedMb,
      ].map((value) => value.toFixed(0)),
      each.pages,
      each.details,
      each.archivedPerMinute,
      each.sweepMsEach.toFixed(3),
    ]),
  )
}

/** The sizes before and after. */
export function archiveTable(rows: readonly ArchiveFigures[]): string {
  const bytesEach = (mb: number, count: number) => ((mb * 1e6) / count).toFixed(0)
  return table(
    ['', 'archived', 'MB before', 'MB after', 'bytes each before', 'bytes each after'],
    rows.map(({ count, archived, beforeMb, afterMb }) => [
      `${count} paid checkouts`,
      archived,
      ...[beforeMb, afterMb].map((value) => value.toFixed(1)),
      bytesEach(beforeMb, count),
      bytesEach(afterMb, count),
    ]),
  )
}
