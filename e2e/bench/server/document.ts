/** The document that keeps the tables of a run. */
import { occasion } from '../report.ts'
import type { Plan } from './plan.ts'
import { usual } from './shop.ts'

/** @param sections - The tables, with their titles. */
export function documentOf(sections: string, plan: Plan, seed: number): string {
  const { polls, told, creations, finished, stores } = plan
  return `# Performance of the merchant's server

\`npm run bench:server -- --write\` wrote this on ${occasion()}.${plan.isQuick ? ' It was a quick run: its figures say nothing about the server.' : ''}

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

${sections}
`
}
