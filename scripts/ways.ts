/**
 * Counts the files of the server that a payment runs through:
 * `node scripts/ways.ts [--list] [root]`, where root may be another checkout of this repository. A
 * file counts where one of its functions ran between a call and its answer, as V8's coverage says.
 */
import { Session } from 'node:inspector/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './paths.ts'

const { values, positionals } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true })
const shopFile = join(resolve(positionals[0] ?? root), 'src/server/shop.testing.ts')
const { createTestShop, pay }: typeof import('../src/server/shop.testing.ts') = await import(
  pathToFileURL(shopFile).href
)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The files of the server with a function that ran during the work, and what the work brought. */
async function during<Result>(work: () => Promise<Result>): Promise<{ files: readonly string[]; result: Result }> {
  await session.post('Profiler.takePreciseCoverage')
  const result = await work()
  const coverage = await session.post('Profiler.takePreciseCoverage')
  const ran = coverage.result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
  )
  const files = ran.flatMap(({ url }) => /\/src\/server\/(.*)$/.exec(url)?.[1] ?? [])
  return { files: files.filter((path) => !path.includes('.testing.')).sort(), result }
}

const shop = createTestShop()
// The first checkout of a process also runs what is done once.
await shop.open({ reference: 'cart-41' })
await shop.settle()
await shop.pass(120_000)

const opened = await during(() => shop.open({ reference: 'cart-42' }))
const searched = await during(() => shop.settle())
await shop.pass(30_000)
const polled = await during(() => shop.poll(opened.result))
pay(shop, 1)
await shop.pass(30_000)
const changed = await during(async () => {
  await shop.poll(opened.result)
  await shop.settle()
})
if (shop.events.length === 0) throw new Error('The payment was not told')

const ways = {
  'a POST /checkouts that creates an order, to its answer': opened.files,
  'the search for that order': searched.files,
  'a poll that asks the service': polled.files,
  'a poll that finds the payment, to onStatusChange': changed.files,
}
console.table(Object.fromEntries(Object.entries(ways).map(([way, files]) => [way, { files: files.length }])))
if (values.list) for (const [way, files] of Object.entries(ways)) console.log(`\n${way}\n${files.join('\n')}`)
