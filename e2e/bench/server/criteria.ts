/** The limits that the server is held to, and whether the figures keep them. */
import { whyMissing } from '../../stores/start-store.ts'
import { table } from '../report.ts'
import type {
  CreationFigures,
  EventFigures,
  Figures,
  FinishedFigures,
  LinkFigures,
  PollFigures,
  ToldFigures,
} from './figures.ts'
import { judgedPolls } from './plan.ts'

/** A limit, and what was measured. */
export interface Criterion {
  readonly name: string
  readonly bound: 'at least' | 'at most' | 'under'
  readonly limit: number
  readonly unit: string
  /** NaN: not measured. */
  readonly measured: number
}

/** The parts whose figures have limits. */
type Judged = 'polls' | 'told' | 'creations' | 'finished' | 'links' | 'events'

const judges: Readonly<Record<Judged, (figures: Figures) => readonly Criterion[]>> = {
  polls: ({ polls }) => [
    ...pollCriteria(judgedPolls.usual, polls),
    ...pollCriteria(judgedPolls.slow, polls),
    ...(whyMissing('postgres') === undefined ? postgresCriteria(judgedPolls.postgres, polls) : []),
  ],
  told: ({ told }) => [...unlimitedCriteria(told), ...limitedCriteria(told)],
  creations: ({ creations }) =>
    creations.length === 0 ? creationCriteria(undefined) : creations.flatMap((each) => creationCriteria(each)),
  finished: ({ finished: [figures] }) => finishedCriteria(figures),
  links: ({ links: [figures] }) => linkCriteria(figures),
  events: ({ events }) =>
    events.length === 0 ? eventCriteria(undefined) : events.flatMap((each) => eventCriteria(each)),
}

/** All limits of the parts that were run. */
export function criteriaOf(figures: Figures, parts: readonly string[]): readonly Criterion[] {
  return Object.entries(judges).flatMap(([part, judge]) => (parts.includes(part) ? judge(figures) : []))
}

/** False for what was not measured. */
export function isMet({ bound, limit, measured }: Criterion): boolean {
  switch (bound) {
    case 'at least':
      return measured >= limit
    case 'at most':
      return measured <= limit
    case 'under':
      return measured < limit
  }
}

/**
 * Marks what is not met.
 *
 * @param isJudged - False where the numbers are too small to judge the server by.
 */
export function criteriaTable(criteria: readonly Criterion[], isJudged: boolean): string {
  const verdict = (each: Criterion) => {
    if (Number.isNaN(each.measured)) return 'not measured'
    if (!isJudged) return 'not judged'
    return isMet(each) ? '' : 'NOT MET'
  }
  return table(
    ['criterion', 'limit', 'measured', ''],
    criteria.map((each) => [
      each.name,
      `${each.bound} ${each.limit} ${each.unit}`.trim(),
      `${Number(each.measured.toFixed(2))} ${each.unit}`.trim(),
      verdict(each),
    ]),
  )
}

/** A row of the polls, by its name. */
function pollRow(name: string, polls: readonly PollFigures[]) {
  const row = polls.find((each) => each.name === name)
  return {
    measured: (of: (figures: PollFigures) => number) => (row ? of(row) : Number.NaN),
    named: (what: string) => `polls, ${name}: ${what}`,
  }
}

/** The limits that every row of polls has: how many are answered in a second, and no errors. */
function answeredCriteria({ measured, named }: ReturnType<typeof pollRow>, perSecond: number): readonly Criterion[] {
  return [
    {
      name: named('answered'),
      bound: 'at least',
      limit: perSecond,
      unit: 'a second',
      measured: measured((of) => of.perSecond),
    },
    { name: named('errors'), bound: 'at most', limit: 0, unit: '', measured: measured((of) => sumOf(of.errors)) },
  ]
}

function postgresCriteria(name: string, polls: readonly PollFigures[]): readonly Criterion[] {
  const row = pollRow(name, polls)
  const { measured, named } = row
  return [
    ...answeredCriteria(row, 1_500),
    {
      name: named('50th percentile'),
      bound: 'under',
      limit: 20,
      unit: 'ms',
      measured: measured((of) => of.answerMs.median),
    },
  ]
}

function pollCriteria(name: string, polls: readonly PollFigures[]): readonly Criterion[] {
  const row = pollRow(name, polls)
  const { measured, named } = row
  return [
    ...answeredCriteria(row, 2_000),
    {
      name: named('99th percentile'),
      bound: 'under',
      limit: 100,
      unit: 'ms',
      measured: measured((of) => of.answerMs.p99),
    },
    {
      name: named('for each request'),
      bound: 'at least',
      limit: 50,
      unit: '',
      measured: measured((of) => of.perRequest),
    },
    { name: named('memory'), bound: 'under', limit: 400, unit: 'MB', measured: measured((of) => of.memoryMb) },
    { name: named('longest stall'), bound: 'at most', limit: 50, unit: 'ms', measured: measured((of) => of.stallMs) },
    {
      name: named('reads of the store'),
      bound: 'at most',
      limit: 1.2,
      unit: 'a poll',
      measured: measured((of) => of.readsEach),
    },
  ]
}

function unlimitedCriteria(told: readonly ToldFigures[]): readonly Criterion[] {
  const rows = told.filter(({ leastSeconds }) => leastSeconds === null)
  const p99 = rows.map(({ toldSeconds }) => toldSeconds.p99)
  return [
    allTold('told, 50 ms: worst share of those paid', rows),
    { name: 'told, 50 ms: worst 99th percentile', bound: 'at most', limit: 15, unit: 's', measured: worstOf(p99) },
  ]
}

function limitedCriteria(told: readonly ToldFigures[]): readonly Criterion[] {
  const rows = told.filter(({ leastSeconds }) => leastSeconds !== null)
  const times = rows.map(({ toldSeconds, leastSeconds }) => toldSeconds.last / (leastSeconds ?? Number.NaN))
  return [
    allTold('told, 5 requests a second: worst share of those paid', rows),
    {
      name: 'told, 5 requests a second: worst last one, of the least possible',
      bound: 'at most',
      limit: 1.5,
      unit: 'times',
      measured: worstOf(times),
    },
  ]
}

function allTold(name: string, rows: readonly ToldFigures[]): Criterion {
  const missing = rows.map(({ toldSeconds, paid }) => 100 - (toldSeconds.count / paid) * 100)
  return { name, bound: 'at least', limit: 100, unit: '%', measured: 100 - worstOf(missing) }
}

function creationCriteria(row: CreationFigures | undefined): readonly Criterion[] {
  const measured = (of: (figures: CreationFigures) => number) => (row ? of(row) : Number.NaN)
  const named = (what: string) => `creations, ${row?.name ?? 'each kind'}: ${what}`
  const bound: Criterion = {
    name: named('not bound after 90 s'),
    bound: 'at most',
    limit: 0,
    unit: '',
    measured: measured((of) => of.unbound - of.alike),
  }
  return [
    {
      name: named('99th percentile beyond the service'),
      bound: 'under',
      limit: 500,
      unit: 'ms',
      measured: measured((of) => of.beyondMs.p99),
    },
    { name: named('errors'), bound: 'at most', limit: 0, unit: '', measured: measured((of) => sumOf(of.errors)) },
    { name: named('requests'), bound: 'at most', limit: 3, unit: 'each', measured: measured((of) => of.requestsEach) },
    // Three of them keep an order from two carts: docs/decisions/size.md.
    { name: named('store calls'), bound: 'at most', limit: 27, unit: 'each', measured: measured((of) => of.callsEach) },
    ...(row?.isProved ? [bound] : []),
  ]
}

function finishedCriteria(row: FinishedFigures | undefined): readonly Criterion[] {
  const { startMs, stallMs } = row ?? { startMs: Number.NaN, stallMs: Number.NaN }
  return [
    { name: 'finished: a start', bound: 'under', limit: 1_000, unit: 'ms', measured: startMs },
    {
      name: 'finished: a tick (longest stall while watching)',
      bound: 'under',
      limit: 20,
      unit: 'ms',
      measured: stallMs,
    },
  ]
}

function linkCriteria(row: LinkFigures | undefined): readonly Criterion[] {
  const { made, errors } = row ?? { made: Number.NaN, errors: new Map([['', Number.NaN]]) }
  return [
    { name: 'links: made', bound: 'at least', limit: 10_000, unit: '', measured: made },
    { name: 'links: errors', bound: 'at most', limit: 0, unit: '', measured: sumOf(errors) },
  ]
}

function eventCriteria(row: EventFigures | undefined): readonly Criterion[] {
  const measured = (of: (figures: EventFigures) => number) => (row ? of(row) : Number.NaN)
  const named = (what: string) => `events, ${row?.name ?? 'each kind'}: ${what}`
  const never = (what: string, of: (figures: EventFigures) => number): Criterion => ({
    name: named(what),
    bound: 'at most',
    limit: 0,
    unit: '',
    measured: measured(of),
  })
  return [
    {
      name: named('told'),
      bound: 'at least',
      limit: 2_000,
      unit: 'a minute',
      measured: measured((of) => of.perMinute),
    },
    never('missing', (of) => of.missing),
    never('repeated', (of) => of.repeated),
    never('refused', (of) => of.foreign),
  ]
}

function sumOf(errors: ReadonlyMap<string, number>): number {
  return [...errors.values()].reduce((sum, each) => sum + each, 0)
}

function worstOf(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values)
}
