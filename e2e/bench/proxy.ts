/**
 * Measures what the merchant's server costs: its polls per second beside those of a bare pass-through of the same framework, and
 * how often it asks the service, by the number of open checkouts. `npm run bench:proxy` runs it; `-- --write` saves the tables in
 * docs/performance-server.md.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/paths.ts'
import { keyHeader } from '../../src/contract/checkout.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { createMemoryStore, createPaywindow } from '../../src/server/index.ts'
import { createVirtualTime, type VirtualTime } from '../chaos/world/time.ts'
import type { Servers } from './proxy-server.ts'
import { createReport, median, occasion, table } from './report.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    checkouts: { type: 'string', default: '1,100,10000' },
    write: { type: 'boolean', default: false },
  },
})
const pollEveryMs = 5000

const { print, sections } = createReport()
await compareLoad()
const counts = options.checkouts.split(',').map(Number)
const rows: (readonly number[])[] = []
for (const count of counts) rows.push([count, (count * 60_000) / pollEveryMs, ...(await countUpstream(count))])
print(
  'Requests to the service in a minute, every open checkout polled every 5 seconds',
  table(['open checkouts', 'polls', 'details', 'pages of the list'], rows),
)
if (options.write) writeFileSync(join(root, 'docs', 'performance-server.md'), document())

function document(): string {
  return `# Performance of the merchant's server

\`npm run bench:proxy -- --write\` wrote this on ${occasion()}.
The server, the pass-through and the sandbox behind both run in one process, the load in another; all is on one machine. The
pass-through has the same listener and does nothing but \`fetch\`. Paywindow asks the service about an order at most every two and a
half seconds, however many browsers ask, and answers the other polls from its store. Many orders are read from the
list together ([decision 021](decisions/021-list-for-many.md)).

${sections()}
`
}

async function compareLoad(): Promise<void> {
  const child = fork(fileURLToPath(new URL('proxy-server.ts', import.meta.url)))
  const [servers]: [Servers] = (await once(child, 'message')) as [Servers]
  const { id, key } = await createCheckout(servers.paywindow)
  const loads = [
    { name: 'Paywindow', port: servers.paywindow, path: `/paywindow/checkouts/${id}`, headers: { [keyHeader]: key } },
    { name: 'bare pass-through', port: servers.passThrough, path: servers.path, headers: {} },
  ]
  const samples = new Map(loads.map(({ name }): [string, Sample[]] => [name, []]))
  for (let round = -1; round < Number(options.rounds); round += 1) {
    for (const load of round % 2 === 0 ? loads : loads.toReversed()) {
      const sample = await press(load)
      if (round >= 0) samples.get(load.name)?.push(sample)
    }
  }
  child.disconnect()
  const of = (name: string, field: keyof Sample) => median((samples.get(name) ?? []).map((sample) => sample[field]))
  print(
    `Polls of a status, ${options.connections} at a time (median of ${options.rounds} × ${options.seconds} s)`,
    table(
      ['', 'a second', '50th ms', '95th ms', '99th ms'],
      loads.map(({ name }) => [
        name,
        of(name, 'perSecond').toFixed(0),
        ...(['p50', 'p95', 'p99'] as const).map((field) => of(name, field).toFixed(2)),
      ]),
    ),
  )
}

interface Sample {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

interface Asked {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends requests on `--connections` connections at a time. Each connection sends the next request as soon as one is answered. */
async function press(asked: Asked): Promise<Sample> {
  const agent = new Agent({ keepAlive: true })
  const endsAt = performance.now() + Number(options.seconds) * 1000
  const timesMs: number[] = []
  const connection = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now()
      await ask(asked, agent)
      timesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: Number(options.connections) }, connection))
  agent.destroy()
  timesMs.sort((a, b) => a - b)
  const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN
  return { perSecond: timesMs.length / Number(options.seconds), p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function ask({ port, path, headers }: Asked, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ port, path, headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
      .on('error', reject)
      .end()
  })
}

async function createCheckout(port: number): Promise<{ id: string; key: string }> {
  const origin = `http://127.0.0.1:${port}`
  const answer = await fetch(`${origin}/paywindow/checkouts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ reference: 'cart-0' }),
  })
  return answer.json()
}

/**
 * Counts requests to the service in virtual time, while every checkout is open, its browser polls and the watcher runs. It counts
 * the second minute. The sandbox names each order in the answer to its creation. Otherwise, ten thousand orders created at once
 * would have to be found in each other's lists.
 */
async function countUpstream(count: number): Promise<readonly number[]> {
  const time = createVirtualTime(Date.parse('2026-11-21T09:00:00Z'))
  const clock = { now: time.nowMs, monotonic: time.nowMs, sleep: time.sleep }
  const sandbox = createSandbox({ clock, creationId: true })
  const asked: string[] = []
  const paywindow = createPaywindow({
    service: {
      ...sandbox.access,
      fetch: (input, init) => {
        asked.push(String(input instanceof Request ? input.url : input))
        return sandbox.fetch(input, init)
      },
    },
    clock,
    store: createMemoryStore(),
    test: true,
    creationsPerClient: 1_000_000,
    offer: ({ reference }) => ({
      // No two prices are equal, so that every order is found by its price.
      price: { asset: 'USD', amount: `${Number(reference) + 1}.01` },
      methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
      merchant: { name: 'Lantern Books' },
    }),
  })
  return time.run(
    (async () => {
      const browsers: { url: string; key: string }[] = []
      for (let reference = 0; reference < count; reference += 1) {
        const answer = await paywindow.fetch(creation(String(reference)))
        const { id, key } = await answer.json()
        browsers.push({ url: `https://shop.example/paywindow/checkouts/${id}`, key })
      }
      const watch = paywindow.watch()
      const polling = poll(browsers, 120_000, time, paywindow.fetch)
      await time.sleep(60_000)
      asked.splice(0)
      await polling
      await watch.stop()
      const details = asked.filter((url) => url.includes('/details')).length
      return [details, asked.length - details]
    })(),
  )
}

function creation(reference: string): Request {
  return new Request('https://shop.example/paywindow/checkouts', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://shop.example' },
    body: JSON.stringify({ reference }),
  })
}

/** Lets every browser poll at the same interval. Their polls are spread evenly over it. */
async function poll(
  browsers: readonly { url: string; key: string }[],
  forMs: number,
  time: VirtualTime,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const poller = async ({ url, key }: { url: string; key: string }, number: number) => {
    await time.sleep((number * pollEveryMs) / browsers.length)
    for (let passedMs = 0; passedMs < forMs; passedMs += pollEveryMs) {
      const answer = await fetch(new Request(url, { headers: { [keyHeader]: key } }))
      if (!answer.ok) throw new Error(`A poll was answered ${answer.status}`)
      await time.sleep(pollEveryMs)
    }
  }
  await Promise.all(browsers.map(poller))
}
