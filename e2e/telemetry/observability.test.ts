/** Holds the dashboard and the alert rules of docs/observability against what the code emits. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Occurrence } from '../../src/server/observing/occurrence.ts'
import { createScraped, type Scraped, samplesOf } from './scrape.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/observability/${name}`, import.meta.url), 'utf8')

/** One of each kind: the type fails to check when one is missing. */
const about = { checkoutId: 'c-1', reference: 'cart-42' }
const occurrences: { readonly [Kind in Occurrence['kind']]: Extract<Occurrence, { kind: Kind }> } = {
  checkout_created: { kind: 'checkout_created', ...about, asset: 'BTC', network: 'bitcoin' },
  instructions_received: { kind: 'instructions_received', ...about },
  order_bound: {
    kind: 'order_bound',
    ...about,
    orderId: 'o-1',
    evidence: 'timestamp',
    isProvisional: false,
    afterMs: 900,
  },
  order_released: { kind: 'order_released', ...about, orderId: 'o-1' },
  status_changed: {
    kind: 'status_changed',
    ...about,
    orderId: 'o-1',
    status: 'confirmed',
    previousStatus: 'open',
    phase: 'paid',
    previousPhase: 'waiting',
    afterMs: 60_000,
  },
  change_delivered: { kind: 'change_delivered', ...about, eventId: 'e-1', status: 'confirmed', afterMs: 80 },
  service_request: {
    kind: 'service_request',
    method: 'GET',
    route: '/v1/order',
    url: 'https://service.example/v1/order',
    status: 503,
    errorCode: 'unavailable',
    sentAtMs: 1_790_000_000_000,
    tookMs: 120,
  },
  error: { kind: 'error', code: 'internal', message: 'What happened' },
}

/** Labels by the names of metrics, as Prometheus has them. */
const emitted = new Map<string, Set<string>>()
let scraped: Scraped
beforeAll(async () => {
  scraped = await createScraped()
  for (const occurrence of Object.values(occurrences)) scraped.telemetry.note(occurrence)
  const { status_changed } = occurrences
  scraped.telemetry.note({ ...status_changed, status: 'pending', phase: 'seen' })
  scraped.telemetry.watch({
    now: () => 0,
    health: async () => ({
      isReady: true,
      isWatched: true,
      canDeliver: true,
      service: { answeredAt: null, refusingSince: null },
      backlog: { open: 0, unresolved: 0, untold: 0, oldestUndeliveredMs: null },
    }),
  })
  for (const { name, labels } of samplesOf(await scraped.scrape()))
    emitted.set(name, new Set([...(emitted.get(name) ?? []), ...Object.keys(labels)]))
})
afterAll(() => scraped.close())

interface Selector {
  readonly name: RegExp
  readonly labels: readonly string[]
}

const grouping = /by \(([^)]*)\)/g

/** The series that an expression asks for. */
function selectorsOf(expression: string): readonly Selector[] {
  const series = expression
    .replaceAll(grouping, '')
    .matchAll(/((?:paywindow|http)_\w+)?\{([^}]*)\}|((?:paywindow|http)_\w+)/g)
  return [...series].map(([, named, matchers = '', bare]) => {
    const pairs = [...matchers.matchAll(/(\w+)(?:=~|!=|=)"([^"]*)"/g)]
    const pattern = named ?? bare ?? pairs.find(([, label]) => label === '__name__')?.[2] ?? ''
    const labels = pairs.map(([, label = '']) => label).filter((label) => label !== '__name__')
    return { name: new RegExp(`^(?:${pattern})$`), labels }
  })
}

function groupingsOf(expression: string): readonly string[] {
  return [...expression.matchAll(grouping)].flatMap(([, labels = '']) => labels.split(/, */))
}

function check(expression: string): void {
  const selectors = selectorsOf(expression)
  expect(selectors, expression).not.toEqual([])
  for (const { name, labels } of selectors) {
    const found = [...emitted].filter(([each]) => name.test(each))
    expect(found, `${name} of ${expression}`).not.toEqual([])
    for (const label of [...labels, ...groupingsOf(expression)])
      expect(
        found.some(([, known]) => known.has(label)),
        `${label} of ${expression}`,
      ).toBe(true)
  }
}

describe('the dashboard and the alert rules', () => {
  const rules = [...read('alerts.yml').matchAll(/expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, folded, line]) =>
    (folded ?? line ?? '').replaceAll(/\s+/g, ' ').trim(),
  )
  const board: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(read('grafana.json'))

  it.each(rules)('alerts.yml asks for what is emitted: %s', check)

  it.each(board.panels.map(({ title, targets }) => [title, targets]))(
    'grafana.json asks for what is emitted: %s',
    (_, targets) => {
      for (const { expr } of targets as { expr: string }[]) check(expr)
    },
  )

  it('are found out where they ask for something else', () => {
    expect(rules.length).toBeGreaterThan(8)
    expect(() => check('sum(rate(paywindow_checkouts_total[5m]))')).toThrow('paywindow_checkouts_total')
    expect(() => check('max(paywindow_errors_total{code="internal"})')).toThrow('code of')
    expect(() => check('sum by (code) (paywindow_errors_total)')).toThrow('code of')
    expect(() => check('max({__name__=~"paywindow_age(_seconds)?"})')).toThrow('paywindow_age')
  })

  it('have every metric of paywindow between them, and the page names each', () => {
    const text = `${rules.join('\n')}\n${read('grafana.json')}`
    const page = read('README.md')
    const own = [...emitted.keys()].filter((name) => name.startsWith('paywindow_'))
    const names = new Set(own.map((name) => name.replace(/_(sum|count|bucket)$/, '')))
    expect(names.size).toBeGreaterThan(10)
    for (const name of names) {
      expect(text).toContain(name)
      expect(page.replaceAll('.', '_')).toContain(name.replace(/_total$/, ''))
    }
  })
})
