/**
 * What the merchant's server stands: real HTTP, a real store, and a service that takes its time,
 * each in a process of its own.
 *
 * `npm run bench:server` prints all tables, and exits with 1 if a limit is not met. Its options:
 *
 * - `-- --write` keeps the tables that others rely on in docs/maintainers/performance-server.md
 * - `-- --only polls,told` runs some parts. Written, they leave the tables of the others as they
 *   are
 * - `-- --quick` runs all in small, to see that the bench works
 * - `-- --row 'one price'` measures only the polls and creations whose row has this in its name
 * - `-- --seed 7` draws other moments of payment
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../../scripts/paths.ts'
import { seededRandom } from '../../../src/sandbox/index.ts'
import { print } from '../report.ts'
import { millionADay } from './arithmetic.ts'
import { criteriaOf, criteriaTable, isMet } from './criteria.ts'
import { documentOf, type Section } from './document.ts'
import { type Figures, noFigures } from './figures.ts'
import { creationTable, measureCreations } from './parts/creations.ts'
import { archiveTable, finishedTable, measureArchive, measureFinished } from './parts/finished.ts'
import { measureMost, mostTable } from './parts/most.ts'
import { costTable, measurePolls, pollTables } from './parts/polls.ts'
import { eventTable, linkTable, measureEvents, measureLinks } from './parts/program.ts'
import { measureStores, storeTable } from './parts/stores.ts'
import { measureTold, toldTable } from './parts/told.ts'
import { full, type Plan, quick } from './plan.ts'

/** A part: its title, what it measures, and its table. */
interface Part {
  readonly title: (plan: Plan) => string
  measure(plan: Plan, random: () => number): Promise<Partial<Figures>>
  readonly table: (figures: Figures) => string
  /** The document keeps its table. */
  readonly isKept?: true
}

const parts: Readonly<Record<keyof Figures, Part>> = {
  most: {
    title: () => 'Polls, 16 at a time, as many as it can answer',
    measure: measureMost,
    table: ({ most }) => mostTable(most),
  },
  polls: {
    title: () => 'Browsers that poll, creations meanwhile, a tenth paid',
    measure: measurePolls,
    table: ({ polls }) => pollTables(polls),
  },
  told: {
    title: ({ open, told }) =>
      `No browsers, ${open} open, ${told.paid} paid at once: from the payment to \`onStatusChange\``,
    measure: measureTold,
    table: ({ told }) => toldTable(told),
    isKept: true,
  },
  creations: {
    title: ({ creations: { perSecond, seconds } }) => `${perSecond} creations a second for ${seconds} s`,
    measure: measureCreations,
    table: ({ creations }) => creationTable(creations),
  },
  finished: {
    title: () => 'A start with many finished checkouts, and watching after it',
    measure: measureFinished,
    table: ({ finished }) => finishedTable(finished),
  },
  archive: {
    title: () => 'The file before and after archiving',
    measure: measureArchive,
    table: ({ archive }) => archiveTable(archive),
  },
  stores: {
    title: () => 'Each store, by one server and by two',
    measure: measureStores,
    table: ({ stores }) => storeTable(stores),
    isKept: true,
  },
  links: {
    title: () => '`paywindow serve`: payment links by `POST /v1/payments`',
    measure: measureLinks,
    table: ({ links }) => linkTable(links),
    isKept: true,
  },
  events: {
    title: ({ open }) => `\`paywindow serve\`, ${open} open: from the payment to the shop's signed event`,
    measure: measureEvents,
    table: ({ events }) => eventTable(events),
    isKept: true,
  },
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    row: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const plan = { ...(options.quick ? quick : full), row: options.row }
const names = options.only.split(',')
for (const name of names)
  if (!isPart(name)) throw new Error(`There is no part ${name}. Those there are: ${Object.keys(parts).join(', ')}.`)
const figures = await measureAll()
const criteria = criteriaOf(figures, names)
const limits = criteriaTable(criteria, !plan.isQuick)
const cost = { title: 'What polls cost the server', text: costTable(figures.polls) }
const million = { title: 'A million checkouts a day, from these figures', text: millionADay(figures) }
for (const { title, text } of [cost, million, { title: 'Limits', text: limits }]) print(title, text)
if (options.write) write()
// A quick run shows only that everything is measured.
const failed = criteria.filter((each) => (plan.isQuick ? Number.isNaN(each.measured) : !isMet(each)))
if (failed.length > 0)
  console.error(
    `\n${failed.map(({ name }) => name).join('\n')}\n${failed.length} of ${criteria.length} limits not met.`,
  )
process.exitCode = failed.length > 0 ? 1 : 0

async function measureAll(): Promise<Figures> {
  const random = seededRandom(Number(options.seed))
  let all = noFigures
  for (const name of names.filter(isPart)) {
    const beganAt = performance.now()
    const { title, measure, table } = parts[name]
    all = { ...all, ...(await measure(plan, random)) }
    print(title(plan), table(all))
    console.error(`(${name}: ${((performance.now() - beganAt) / 1_000).toFixed(0)} s)`)
  }
  return all
}

/** Writes the sections that the document keeps. */
function write(): void {
  const path = join(root, 'docs', 'maintainers', 'performance-server.md')
  const unless = (missing: boolean, { title, text }: Section) => ({ title, text: missing ? undefined : text })
  const all = Object.keys(parts).filter(isPart)
  const isWhole = all.every((name) => names.includes(name))
  const kept = all.flatMap((name) => {
    const { isKept, title, table } = parts[name]
    return isKept ? [unless(!names.includes(name), { title: title(plan), text: table(figures) })] : []
  })
  const sections = [...kept, unless(!names.includes('polls'), cost), unless(!isWhole, million)]
  const run = { plan, seed: Number(options.seed), only: isWhole ? undefined : options.only, limits }
  writeFileSync(path, documentOf(sections, run, readFileSync(path, 'utf8')))
}

function isPart(name: string): name is keyof Figures {
  return Object.hasOwn(parts, name)
}
