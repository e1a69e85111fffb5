/**
 * What the merchant's server stands: real HTTP, SQLite on disk, and a service that takes its time, each in a process of its own.
 * `npm run bench:server`; `-- --write` keeps the tables in docs/performance-server.md, `-- --only polls` runs one part.
 */
import { writeFileSync } from 'node:fs'
import type { RequestOptions } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../../scripts/paths.ts'
import { createReport, occasion, table } from '../report.ts'
import { type Measured, millionADay } from './arithmetic.ts'
import { pollOf, press, type Seen, saturate } from './load.ts'
import type { Browser, MerchantCount, SeedOrder, ServiceCount } from './messages.ts'
import { inShop, type Shop, usual } from './shop.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: 'plain,polls,told,creations,start' },
    write: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const { print, sections } = createReport()
const measured: Measured = { pollsPerSecond: Number.NaN, callsEach: Number.NaN, kibEach: Number.NaN }
const parts: Readonly<Record<string, () => Promise<void>>> = { plain, polls, told, creations, start }
for (const name of options.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`There is no part ${name}. Those there are: ${Object.keys(parts).join(', ')}.`)
  await part()
}
print('A million checkouts a day, from these figures', millionADay(measured))
if (options.write) writeFileSync(join(root, 'docs', 'performance-server.md'), document())

/** Ten thousand browsers, creations meanwhile, and one order in ten paid. */
async function polls(): Promise<void> {
  const rows: (readonly (string | number)[])[] = []
  for (const [latencyMs, count] of [
    [0, 10_000],
    [50, 10_000],
    [300, 20_000],
  ] as const) {
    await inShop({ ...usual, latencyMs }, async (shop) => {
      const { browsers, orders } = await seed(shop, count, 15 * 60_000)
      await shop.merchant({ kind: 'watch' })
      const polled = browsers.slice(-10_000)
      // The first seconds of a server that knows nothing yet are not measured.
      await press(shop.port, polled, { seconds: 10, creationsPerSecond: 0 })
      await shop.service({ kind: 'count' })
      await shop.merchant({ kind: 'count' })
      const paying = pay(
        shop,
        orders.filter((_, at) => at % 10 === 0).map(({ id }) => id),
        seconds / 2,
      )
      const seen = await press(shop.port, polled, { seconds, creationsPerSecond: 8 })
      await paying
      rows.push([`${latencyMs} ms, ${count} orders`, ...(await pollRow(shop, seen))])
    })
  }
  const heads =
    'polls answered a second,50th ms,95th ms,99th ms,errors,polls a request,stall ms,MiB,disk MiB,store calls a poll'.split(
      ',',
    )
  print(
    `10,000 browsers that poll every 5 s, 8 creations a second, a tenth paid, ${seconds} s`,
    table(['', ...heads], rows),
  )
}

/** What one process can answer at most, beside what does less. */
async function plain(): Promise<void> {
  const rows: (readonly (string | number)[])[] = []
  await inShop({ ...usual, latencyMs: 0 }, async (shop) => {
    const { browsers, orders } = await seed(shop, 1_000, 15 * 60_000)
    const { passThrough, smallest } = await shop.plain()
    const browser = (number: number) => browsers[number % browsers.length] ?? { id: '', key: '' }
    const asked: Readonly<Record<string, (number: number) => RequestOptions>> = {
      Paywindow: (number) => pollOf(shop.port, browser(number)),
      'reads a record, checks its key': (number) => pollOf(smallest, browser(number)),
      'bare pass-through to the service': (number) => ({
        port: passThrough,
        path: `/v1/orders/details/${orders[number % orders.length]?.id}`,
      }),
    }
    for (const [name, ask] of Object.entries(asked)) {
      await saturate(2, ask)
      const times = await saturate(5, ask)
      if (name === 'Paywindow') measured.pollsPerSecond = times.length / 5
      rows.push([name, (times.length / 5).toFixed(0), ...[0.5, 0.95, 0.99].map((share) => at(times, share, 2))])
    }
  })
  const heads = ['a second', '50th ms', '95th ms', '99th ms']
  print('Polls of 1,000 checkouts, 16 at a time, as many as it can answer', table(['', ...heads], rows))
}

/** A server that has been there for a while is started anew. */
async function start(): Promise<void> {
  await inShop(usual, async (shop) => {
    const { browsers } = await seed(shop, 10_000, 15 * 60_000)
    await shop.merchant({ kind: 'seed finished', count: 100_000 })
    const beganAt = performance.now()
    const again = await shop.restart()
    const first = await saturate(0.001, () => pollOf(again.port, browsers[0] ?? { id: '', key: '' }))
    const startMs = performance.now() - beganAt
    await again.merchant({ kind: 'count' })
    await again.merchant({ kind: 'watch' })
    await pause(20_000)
    const { stallMs, rssMiB, diskMiB } = await again.merchant<MerchantCount>({ kind: 'count' })
    measured.kibEach = (diskMiB * 1024) / 110_000
    print(
      'A start with 100,000 finished and 10,000 open checkouts',
      table(
        [
          'until it listens and a poll is answered, ms',
          'that poll ms',
          'longest stall of 20 s of watching, ms',
          'MiB',
          'disk MiB',
        ],
        [[...[startMs, Number(at(first, 0)), stallMs, rssMiB, diskMiB].map((value) => value.toFixed(0))]],
      ),
    )
  })
}

async function pollRow(shop: Shop, { polls: times, tookSeconds, errors }: Seen): Promise<readonly (string | number)[]> {
  const { pages, details, creations, refused } = await shop.service<ServiceCount>({ kind: 'count' })
  const { stallMs, rssMiB, diskMiB, store } = await shop.merchant<MerchantCount>({ kind: 'count' })
  const calls = Object.values(store).reduce((sum, each) => sum + each, 0)
  const failed = [...errors].map(([what, many]) => `${many} ${what}`).join(', ')
  return [
    (times.length / tookSeconds).toFixed(0),
    ...[0.5, 0.95, 0.99].map((share) => at(times, share)),
    failed || 0,
    (times.length / (pages + details + creations + refused)).toFixed(1),
    ...[stallMs, rssMiB, diskMiB].map((value) => value.toFixed(0)),
    (calls / times.length).toFixed(2),
  ]
}

/** Without browsers: how long after a payment the merchant's code hears of it. */
async function told(): Promise<void> {
  const rows: (readonly (string | number)[])[] = []
  for (const perSecond of [null, 5]) {
    await inShop({ ...usual, perSecond, requestsPerSecond: perSecond ?? usual.requestsPerSecond }, async (shop) => {
      const { browsers, orders } = await seed(shop, 10_000, 15 * 60_000)
      await shop.merchant({ kind: 'watch' })
      await pause(20_000)
      const paid = orders.map(({ id }, index) => ({ id, index })).filter(({ index }) => index % 10 === 0)
      const paidAtMs = await shop.service<number>({ kind: 'pay', ids: paid.map(({ id }) => id) })
      const times = await untilAllAreTold(
        shop,
        paid.map(({ index }) => browsers[index]?.id ?? ''),
        paidAtMs,
      )
      const name = perSecond === null ? '50 ms a page' : `${perSecond} requests a second, more get 429`
      rows.push([name, times.length, ...[0.5, 0.99, 1].map((share) => (Number(at(times, share)) / 1_000).toFixed(1))])
    })
  }
  const heads = ['delivered in two minutes', '50th s', '99th s', 'last s']
  print(
    'No browsers, 10,000 open, 1,000 paid at once: from the payment to `onStatusChange`',
    table(['', ...heads], rows),
  )
}

async function untilAllAreTold(shop: Shop, ids: readonly string[], paidAtMs: number): Promise<number[]> {
  for (;;) {
    await pause(1_000)
    const { paidAtMs: at } = await shop.merchant<MerchantCount>({ kind: 'count' })
    const times = ids.flatMap((id) => at[id] ?? []).map((toldAtMs) => toldAtMs - paidAtMs)
    if (times.length === ids.length || Date.now() > paidAtMs + 120_000) return times
  }
}

/** Twenty payers a second who come anew. */
async function creations(): Promise<void> {
  const rows: (readonly (string | number)[])[] = []
  for (const [equalPrices, provesByTime] of [
    [false, true],
    [true, true],
    [false, false],
    [true, false],
  ] as const) {
    await inShop({ ...usual, equalPrices, provesByTime }, async (shop) => {
      await shop.merchant({ kind: 'watch' })
      const seen = await press(shop.port, [], { seconds, creationsPerSecond: 20 })
      const service = await shop.service<ServiceCount>({ kind: 'count' })
      const { store } = await shop.merchant<MerchantCount>({ kind: 'count' })
      const calls = Object.values(store).reduce((sum, each) => sum + each, 0)
      await pause(90_000)
      const unbound = await shop.merchant<number>({ kind: 'unbound' })
      measured.callsEach = Math.max(calls / seen.creations.length, measured.callsEach || 0)
      const failed = [...seen.errors].map(([what, many]) => `${many} ${what}`).join(', ')
      rows.push([
        `${equalPrices ? 'one price' : 'different prices'}, ${provesByTime ? 'proof by time' : 'no proof'}`,
        seen.creations.length,
        ...[0.5, 0.95, 0.99].map((share) => at(seen.creations, share)),
        failed || 0,
        ((service.pages + service.details + service.creations) / seen.creations.length).toFixed(1),
        (calls / seen.creations.length).toFixed(0),
        unbound,
      ])
    })
  }
  const heads = [
    'created',
    '50th ms',
    '95th ms',
    '99th ms',
    'errors',
    'requests each',
    'store calls each',
    'not bound after 90 s',
  ]
  print(`20 creations a second for ${seconds} s`, table(['', ...heads], rows))
}

async function seed(shop: Shop, count: number, spanMs: number) {
  const orders = await shop.service<readonly SeedOrder[]>({ kind: 'seed', count, spanMs })
  const browsers = await shop.merchant<readonly Browser[]>({ kind: 'seed', orders })
  return { orders, browsers }
}

/** A few at a time, spread over the time. */
async function pay(shop: Shop, ids: readonly string[], forSeconds: number): Promise<void> {
  const size = Math.ceil(ids.length / forSeconds)
  for (let at = 0; at < ids.length; at += size) {
    await shop.service({ kind: 'pay', ids: ids.slice(at, at + size) })
    await pause(1_000)
  }
}

function at(times: readonly number[], share: number, digits = 0): string {
  const sorted = [...times].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(digits)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function document(): string {
  return `# Performance of the merchant's server

\`npm run bench:server -- --write\` wrote this on ${occasion()}.
The service, the merchant's server and the load are three processes on one machine. The server has its store in a SQLite file, and a
budget of ${usual.requestsPerSecond} requests a second. The service is the sandbox, which waits before it answers.

${sections()}
`
}
