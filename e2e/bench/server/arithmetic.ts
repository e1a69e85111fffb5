/** What a million checkouts a day would take of one process, from what was measured. */
import { table } from '../report.ts'
import type { Figures } from './figures.ts'
import { judgedPolls } from './plan.ts'
import { usual } from './shop.ts'

const aDay = 1_000_000
const perSecond = aDay / 86_400
/** Payers look at their checkout for five minutes on average, and poll every five seconds. */
const pollsEach = (5 * 60) / 5
/** A reading of the list goes back so many minutes. It should take less than a status's age. */
const readingMinutes = 31
const oldestSeconds = 15
/** The sweep goes over so many days once an hour. */
const sweptDays = 7

/** Something that is needed, beside what one process has of it. */
interface Need {
  readonly name: string
  readonly needed: number
  readonly has: number
  readonly unit: string
}

/** The table of needs, which of them breaks first, and what grows without breaking. */
export function millionADay(figures: Figures): string {
  const loop = loopNeeds(figures)
  const all = needs(
    figures,
    loop.reduce((sum, { ms }) => sum + ms, 0),
  )
  const known = all.filter(({ needed, has }) => !Number.isNaN(has / needed))
  const [first] = known.sort((a, b) => a.has / a.needed - b.has / b.needed)
  const rows = all.map(({ name, needed, has, unit }) => [
    name,
    `${text(needed)} ${unit}`,
    `${text(has)} ${unit}`,
    Number.isNaN(has / needed) ? 'not measured' : `${(has / needed).toFixed(1)} million a day`,
  ])
  return [
    `${perSecond.toFixed(1)} creations and ${(perSecond * pollsEach).toFixed(0)} polls a second, all day long.`,
    table(['', 'needed', 'one process has', 'enough for'], rows),
    `Of the event loop: ${loop.map(({ name, ms }) => `${name} ${text(ms)} ms`).join(', ')} in a second.`,
    first ? breaking(first, known.length < all.length) : 'Nothing was measured.',
    disk(figures),
  ].join('\n\n')
}

/** Time of the event loop in a second, by its use. */
function loopNeeds({ most: [most], creations, finished: [finished] }: Figures) {
  const watching = worst(creations.map(({ idleBusyMsPerSecond, open }) => idleBusyMsPerSecond / open))
  const swept = aDay * sweptDays
  return [
    { name: 'polls', ms: (perSecond * pollsEach * 1_000) / (most?.perSecond ?? Number.NaN) },
    { name: 'creations', ms: perSecond * worst(creations.map(({ busyMsEach }) => busyMsEach)) },
    { name: 'watching', ms: watching * perSecond * readingMinutes * 60 },
    { name: 'the sweep', ms: (swept * (finished?.sweepMsEach ?? Number.NaN)) / 3_600 },
  ]
}

function needs({ polls, creations, finished: [finished] }: Figures, loopMs: number): Need[] {
  const pages = (perSecond * readingMinutes * 60) / 100 / oldestSeconds
  const requests = perSecond * worst(creations.map(({ requestsEach }) => requestsEach)) + pages
  const row = polls.find(({ name }) => name === judgedPolls.usual)
  return [
    { name: 'event loop in a second', needed: loopMs, has: 1_000, unit: 'ms' },
    { name: 'requests to the service', needed: requests, has: usual.requestsPerSecond, unit: 'a second' },
    {
      name: `pages, to read ${readingMinutes} minutes in ${oldestSeconds} s at ${usual.latencyMs} ms a page`,
      needed: pages,
      has: row?.pagesPerSecond ?? Number.NaN,
      unit: 'a second',
    },
    {
      name: 'archiving, if all are paid',
      needed: perSecond * 60,
      has: finished?.archivedPerMinute ?? Number.NaN,
      unit: 'a minute',
    },
    {
      name: 'creations (as many as were measured, not the most)',
      needed: perSecond,
      has: worst(creations.map((each) => each.perSecond)),
      unit: 'a second',
    },
  ]
}

function breaking({ name, needed, has }: Need, isPart: boolean): string {
  const times = has / needed
  const what = `What breaks first${isPart ? ', of what was measured,' : ''} is "${name}", at ${times.toFixed(1)} million a day.`
  return times < 1
    ? `${what} One process is not enough.`
    : `${what} An average day of a million fits into one process; a rush of more than ${times.toFixed(1)} times the average does not.`
}

function disk({ archive: [archive] }: Figures): string {
  if (!archive) return 'Disk: not measured.'
  const gb = (mb: number, checkouts: number) => (((mb / archive.count) * checkouts) / 1_000).toFixed(0)
  const days = 30
  return (
    `Disk, if all are paid: ${gb(archive.beforeMb, aDay * days)} GB for the ${days} days before archiving, and then ` +
    `${gb(archive.afterMb, aDay * 365)} GB more each year.`
  )
}

function worst(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values)
}

function text(value: number): string {
  return Number.isNaN(value) ? '?' : value.toFixed(value < 100 ? 1 : 0)
}
