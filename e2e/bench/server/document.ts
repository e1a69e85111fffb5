/** The document that keeps the tables of a run. */
import { occasion } from '../report.ts'
import type { Plan } from './plan.ts'
import { usual } from './shop.ts'

/** A section of the document. */
export interface Section {
  readonly title: string
  /** Undefined: this run has not measured it. */
  readonly text: string | undefined
}

/** The run that is written down. */
interface Run {
  readonly plan: Plan
  readonly seed: number
  /** The parts of `--only`; undefined for all. */
  readonly only: string | undefined
  /** The limits that it was held to. */
  readonly limits: string
}

/**
 * @param before - The document so far. A run of some parts leaves in it what is of the others:
 *   sections, limits, and when they were measured.
 */
export function documentOf(sections: readonly Section[], { plan, seed, only, limits }: Run, before: string): string {
  const { polls, told, creations, finished, stores, events } = plan
  const [head = '', ...others] = only === undefined ? [] : before.split(/^## /m)
  const earlier = new Map(others.map((each) => [each.split('\n')[0], each.replace(/^.*/, '').trim()]))
  const kept = sections.flatMap(({ title, text = earlier.get(title) }) => (text ? [`## ${title}\n\n${text}`] : []))
  const command = `npm run bench:server -- ${only === undefined ? '' : `--only ${only} `}--write`
  const what = only === undefined ? 'this' : 'the tables of these parts'
  const written = `\`${command}\` wrote ${what} on ${occasion()}.${plan.isQuick ? ' It was a quick run: its figures say nothing about the server.' : ''}`
  return `# Performance of the merchant's server

${withLines(head.replace(/^# .*/, ''), written, ' wrote ')}

## How it was measured

A run prints more tables than this page keeps. The last table marks each limit that is not met.

- Service, merchant's server and load are three processes on one machine. Each row has a service, a
  server and a SQLite file of its own. The service is the sandbox, and waits before it answers. The
  server is bundled as the package is. Unless a row says otherwise, the service takes
  ${usual.latencyMs} ms, the server's budget is ${usual.requestsPerSecond} requests a second, and
  Node has \`${usual.nodeOptions.join(' ')}\`.
- Orders are at most 15 minutes old, and due for a look at evenly spread times.
- Polls: each browser polls every ${polls.everyMs / 1_000} s, answered or not, with
  \`If-None-Match\`. Creations go on meanwhile, and one order in ten is paid. Postgres is one more
  process on the machine, with \`fsync\`.
- A stall is the longest time between two turns of the event loop. Memory is the largest resident
  size.
- Told: no browsers; ${told.paid} orders are paid at once, at moments drawn with seed ${seed}. The
  worst row counts.
- Creations: ${creations.perSecond} a second for ${creations.seconds} s, beside ${plan.open} open
  checkouts. The service's time, and what the server takes without creations, are subtracted. Two
  equal orders of the same millisecond have no proof by time: they stay unbound until both are paid,
  and no limit counts them.
- Finished: paid checkouts of 1 to 40 days, after a crash. The server watches for
  ${finished.watchSeconds} s, with a sweep and a round of archiving.
- Each store: polls for ${stores.pollSeconds} s and creations for ${stores.creationSeconds} s.
  Postgres has \`fsync\`, Redis \`appendfsync always\`. Memory is without the database.
- \`paywindow serve\`: \`dist/cli.js\` with the settings that it has by itself, such as a budget of 20
  requests a second. Links are asked for on 16 connections, each with a key of its own. The shop
  verifies events with the library of Standard Webhooks, and waits ${events.afterwardsSeconds} s more for repeated ones.
  Memory is looked at once a second; disk is the file with its log.

${kept.join('\n\n')}

## Limits

${withLines(earlier.get('Limits') ?? '', limits, ' | ')}
`
}

/** Lines of a text, in which newer ones take the place of those that begin alike. */
function withLines(text: string, newer: string, beginsBefore: string): string {
  const lines = [text, newer].flatMap((each) => each.split('\n').filter((line) => line !== ''))
  return [...new Map(lines.map((line) => [line.split(beginsBefore)[0], line])).values()].join('\n')
}
