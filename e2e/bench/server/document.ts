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

- The service, the merchant's server and the load are three processes on one machine. The server has its store in a SQLite file, a budget
  of ${usual.requestsPerSecond} requests a second (${usual.latencyMs} ms each) where nothing else is said, and \`listen()\`. The service is the sandbox, which waits before
  it answers. Each row has a service, a server and a file of its own. The server is one file of JavaScript, as in the package, and Node has
  \`${usual.nodeOptions.join(' ')}\`, where nothing else is said.
- Open orders were created in the last 15 minutes, and are due for a look at evenly spread times, as in a server that runs all the time.
- Polls: browsers poll every ${polls.everyMs / 1_000} s whether or not earlier polls were answered, name the answer that they have (\`If-None-Match\`), and share up
  to 1,000 connections. Each row begins with a warm-up of ${polls.warmUpSeconds} s that does not count. Polls in the answered rate were answered until a
  second after the last was due. One order in ten is paid in the first half. Afterwards browsers go on, uncounted, until each payment was shown.
  Postgres is one more process on the machine, with \`fsync\`.
- A stall is the longest time between two turns of the event loop, sampled every 5 ms, less those 5 ms. Memory is the largest resident
  size, in MB of 1,000,000 bytes. Statements are those that SQLite ran, without \`BEGIN\` and \`COMMIT\`, which are counted as transactions.
- Told: no browsers; ${told.paid} orders are paid at once, at moments drawn with seed ${seed}, of which each meets a new server. The worst counts.
- Creations: ${creations.perSecond} a second for ${creations.seconds} s, in a shop with ${plan.open} open checkouts. The ${usual.latencyMs} ms that the service waits are subtracted from the times.
  Counts run until all are bound, or for ${creations.unprovedSeconds} s where there is no proof; what the same server took in as long a time without creations,
  measured for ${creations.idleSeconds} s before, is subtracted. Where times are proof, two equal orders of the same millisecond have none: they
  stay unbound until both are paid, and the limit is for the others.
- Finished: paid checkouts of 1 to 40 days. A start is from the new process to the first answers; the process before was ended as by
  a crash. Then the server watches for ${finished.watchSeconds} s, which contain looks at paid orders, the sweep and one round of archiving: no tick can have
  taken longer without a pause than the longest stall.
- Each store: the first row of the polls, for ${stores.pollSeconds} s, and creations of different prices with proof by time, for ${stores.creationSeconds} s. Postgres has \`fsync\`,
  Redis \`appendfsync always\`, and each is one more process on the machine. Two servers take the requests in turn, so that the polls of a
  browser go to both. Statements are one each for a verb of the store; memory is that of the servers together, without the database's.
- Beside: 16 polls at a time, the next as soon as one is answered, without \`If-None-Match\`.

${sections}
`
}
