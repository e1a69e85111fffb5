/** The time until a panel is ready: a browser trace in phases, with the main thread's work. */
import type { Browser } from '@playwright/test'
import { pathOf, type Target } from './targets.ts'
import { type Conditions, visit } from './visit.ts'

/** Phases: to the request for the order, to its answer, to the panel, to the next frame. */
export const phases = ['order is asked for', 'answer', 'panel stands', 'ready'] as const
/** The main thread's work: `other` is the browser's own, `idle` is waiting. */
export const kinds = ['script', 'style and layout', 'paint', 'other', 'idle'] as const

type Kind = (typeof kinds)[number]
/** Milliseconds of each kind, phase by phase. */
export type Profile = readonly Readonly<Record<Kind, number>>[]

/** The fields of a trace event that are used here. Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly data?: { readonly url?: string; readonly requestId?: string } }
}

const kindOf: readonly (readonly [name: RegExp, kind: Kind])[] = [
  [/^(v8\.|V8|FunctionCall|EvaluateScript|FireAnimationFrame|TimerFire|FireIdleCallback)|Microtask/, 'script'],
  [/^(Layout|UpdateLayoutTree|ParseAuthorStyleSheet)$/, 'style and layout'],
  [/^(Paint|PrePaint|Layerize|Commit)$/, 'paint'],
]

/** Visits a target once, with a browser trace. */
export async function profile(
  browser: Browser,
  origin: string,
  target: Target,
  conditions: Conditions,
): Promise<Profile> {
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'v8', 'toplevel', 'blink.user_timing'] },
  })
  const { close } = await visit(browser, origin, target, conditions)
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await close()
  await session.detach()
  return cut(events, target)
}

function cut(events: readonly TraceEvent[], target: Target): Profile {
  const asked = (url: RegExp) =>
    find(events, ({ name, args }) => name === 'ResourceSendRequest' && url.test(urlOf(args)))
  const page = asked(new RegExp(`${pathOf(target)}$`))
  const order = asked(/\/paywindow\/checkouts$/)
  const answer = find(
    events,
    ({ name, args }) => name === 'ResourceFinish' && args?.data?.requestId === order.args?.data?.requestId,
  )
  const mark = (of: string) =>
    find(events, ({ name, cat, pid }) => name === of && cat.includes('user_timing') && pid === order.pid)
  const ready = mark('ready')
  const ends = [order, answer, mark('stands'), ready].map(({ ts }) => ts)
  const tasks = events
    .filter(({ pid, tid, ph }) => pid === ready.pid && tid === ready.tid && ph === 'X')
    .sort((a, b) => a.ts - b.ts || durationOf(b) - durationOf(a))
  return ends.map((end, at) => spent(tasks, ends[at - 1] ?? page.ts, end))
}

/** Returns the main thread's work between two times. An event's time excludes inner events. */
function spent(tasks: readonly TraceEvent[], from: number, to: number): Record<Kind, number> {
  const ms: Record<Kind, number> = { script: 0, 'style and layout': 0, paint: 0, other: 0, idle: (to - from) / 1000 }
  const open: { readonly end: number; readonly kind: Kind }[] = []
  for (const task of tasks) {
    const end = task.ts + durationOf(task)
    const took = Math.max(0, Math.min(end, to) - Math.max(task.ts, from)) / 1000
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= task.ts) open.pop()
    const around = open.at(-1)
    const kind = kindOf.find(([name]) => name.test(task.name))?.[1] ?? 'other'
    ms[kind] += took
    ms[around?.kind ?? 'idle'] -= took
    open.push({ end, kind })
  }
  return ms
}

function find(events: readonly TraceEvent[], test: (event: TraceEvent) => boolean): TraceEvent {
  const found = events.find(test)
  if (!found) throw new Error('The trace lacks an event: the page did not do what it is measured for')
  return found
}

function durationOf({ dur = 0 }: TraceEvent): number {
  return dur
}

function urlOf(args: TraceEvent['args']): string {
  return args?.data?.url ?? ''
}
