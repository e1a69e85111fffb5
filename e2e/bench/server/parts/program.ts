/** Links that `paywindow serve` makes, and payments that it tells a shop. */
import { Agent, createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { openPort } from '../../../../src/server/http/listen.ts'
import { type Row, table } from '../../report.ts'
import {
  type EventFigures,
  errorText,
  type Figures,
  type Held,
  type LinkFigures,
  secondsText,
  timesOf,
} from '../figures.ts'
import { timed } from '../load.ts'
import type { Plan } from '../plan.ts'
import { eventsSecret, inProgram, type Served } from '../program.ts'
import { pause } from '../shop.ts'

const connections = 16
/** Loads what only the first request loads. */
const warmUps = 100

/** Asks for links as a shop does, each with a key of its own. */
export async function measureLinks({ links: count }: Plan): Promise<Partial<Figures>> {
  const links = await inProgram('links', { open: 0 }, async (served) => {
    await askForLinks(served, 'warm-up', warmUps)
    const before = served.held()
    const beganAt = performance.now()
    const asked = await askForLinks(served, 'order', count)
    const perSecond = (count * 1_000) / (performance.now() - beganAt)
    return { ...asked, perSecond, before, after: served.held() }
  })
  return { links: [links] }
}

async function askForLinks({ port, apiSecret }: Served, name: string, count: number) {
  const agent = new Agent({ keepAlive: true })
  const made = new Set<string>()
  const times: number[] = []
  const errors = new Map<string, number>()
  let sent = 0
  const connection = async () => {
    while (sent < count) {
      const order = `${name}-${sent++}`
      const headers = {
        authorization: `Bearer ${apiSecret}`,
        'content-type': 'application/json',
        'idempotency-key': order,
      }
      const body = JSON.stringify({ order, number: order, amount: '49.90', asset: 'EUR' })
      const path = '/books/v1/payments'
      const answer = await timed({ port, agent, method: 'POST', path, headers }, body)
      times.push(answer.tookMs)
      if (answer.status === 201) made.add(JSON.parse(answer.text).url)
      else errors.set(`${answer.status}`, (errors.get(`${answer.status}`) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
  return { made: made.size, errors, answerMs: timesOf(times) }
}

/** Payments that come evenly, and as many at once, each time to a program of its own. */
export async function measureEvents({ open, events: plan }: Plan): Promise<Partial<Figures>> {
  const events: EventFigures[] = []
  for (const seconds of [plan.spreadSeconds, 0]) {
    const shop = await openShop()
    const name = seconds === 0 ? 'at once' : `within ${seconds} s`
    try {
      events.push(
        await inProgram(`events, ${name}`, { open, eventsUrl: shop.url }, async (served) => ({
          name,
          ...(await payments(served, shop, seconds, plan)),
        })),
      )
    } finally {
      shop.close()
    }
  }
  return { events }
}

/** An event that came, and when its server knew of the payment. */
interface Came {
  readonly atMs: number
  readonly knownAtMs: number
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** The shop: it takes what the library of Standard Webhooks verifies. */
async function openShop() {
  const webhook = new Webhook(eventsSecret)
  /** By checkout. */
  const came = new Map<string, Came[]>()
  let refused = 0
  const take = async (request: IncomingMessage) => {
    const body = await text(request)
    const atMs = Date.now()
    const { type, timestamp, data } = webhook.verify(body, request.headers as Record<string, string>) as {
      readonly type: string
      readonly timestamp: string
      readonly data: { readonly checkout: string }
    }
    if (type !== 'payment.paid') throw new Error(`An event of another type came: ${type}`)
    came.set(data.checkout, [...(came.get(data.checkout) ?? []), { atMs, knownAtMs: Date.parse(timestamp) }])
  }
  const server = createServer(async (request, response) => {
    const status = await take(request).then(
      () => 204,
      (error: unknown) => {
        refused += 1
        console.error(error)
        return 400
      },
    )
    response.writeHead(status).end()
  })
  const port = await openPort(server, { port: 0, host: '127.0.0.1' })
  return { url: `http://127.0.0.1:${port}/events`, came, refused: () => refused, close: () => server.close() }
}

async function payments(served: Served, shop: Shop, overSeconds: number, plan: Plan['events']) {
  const { paid, withinSeconds, afterwardsSeconds } = plan
  const before = served.held()
  const paidAtMs = new Map<string, number>()
  const turns = Math.max(1, overSeconds)
  const beganAtMs = Date.now()
  for (let turn = 0; turn < turns; turn++) {
    const at = Array.from({ length: paid / turns }, (_, one) => chosen(served, (turn * paid) / turns + one, paid))
    const sinceMs = await served.service<number>({ kind: 'pay', ids: at.map(({ orderId }) => orderId) })
    for (const { checkoutId } of at) paidAtMs.set(checkoutId, sinceMs)
    if (turn < turns - 1) await pause(Math.max(0, beganAtMs / 1_000 + turn + 1 - Date.now() / 1_000))
  }
  const untilMs = Date.now() + withinSeconds * 1_000
  while (shop.came.size < paid && Date.now() < untilMs) await pause(1)
  await pause(afterwardsSeconds)
  const first = [...shop.came].flatMap(([id, [event]]) => {
    const fromMs = paidAtMs.get(id)
    return event && fromMs !== undefined ? [{ ...event, fromMs }] : []
  })
  const lastMs = first.length < paid ? Number.POSITIVE_INFINITY : Math.max(...first.map(({ atMs }) => atMs))
  const seconds = (lastMs - beganAtMs) / 1_000
  const told = first.map(({ atMs, fromMs }) => (atMs - fromMs) / 1_000)
  const known = first.map(({ atMs, knownAtMs }) => (atMs - knownAtMs) / 1_000)
  return {
    paid,
    seconds,
    perMinute: (paid * 60) / seconds,
    toldSeconds: timesOf(told, paid),
    knownSeconds: timesOf(known, paid),
    missing: paid - first.length,
    repeated: [...shop.came.values()].flat().length - shop.came.size,
    foreign: shop.refused() + shop.came.size - first.length,
    before,
    after: served.held(),
  }
}

/** Spread over all open orders: the list is read newest first. */
function chosen({ orders, browsers }: Served, number: number, of: number) {
  // Neighbours are paid at different times.
  const at = Math.floor((((number * 7_919) % of) * orders.length) / of)
  return { orderId: orders[at]?.id ?? '', checkoutId: browsers[at]?.id ?? '' }
}

/** One row. */
export function linkTable(rows: readonly LinkFigures[]): string {
  const heads = ['a second', '50th ms', '99th ms', 'errors', ...heldHeads]
  return table(
    ['links made', ...heads],
    rows.map(({ made, perSecond, answerMs, errors, before, after }) => [
      made,
      perSecond.toFixed(0),
      answerMs.median.toFixed(0),
      answerMs.p99.toFixed(0),
      errorText(errors),
      ...heldCells(before, after),
    ]),
  )
}

/** One row for each way in which payments come. */
export function eventTable(rows: readonly EventFigures[]): string {
  const heads = ['paid', 'all told after s', 'a minute', '50th s', '99th s', 'last s', '99th s since the server knew']
  return table(
    ['', ...heads, 'missing', 'repeated', 'refused', ...heldHeads],
    rows.map(
      (each): Row => [
        each.name,
        each.paid,
        secondsText(each.seconds),
        each.perMinute.toFixed(0),
        ...[each.toldSeconds.median, each.toldSeconds.p99, each.toldSeconds.last, each.knownSeconds.p99].map(
          secondsText,
        ),
        each.missing,
        each.repeated,
        each.foreign,
        ...heldCells(each.before, each.after),
      ],
    ),
  )
}

const heldHeads = ['MB before', 'MB at most', 'disk MB before', 'disk MB after']

function heldCells(before: Held, after: Held): readonly string[] {
  return [
    ...[before.memoryMb, after.mostMemoryMb].map((mb) => mb.toFixed(0)),
    ...[before.diskMb, after.diskMb].map((mb) => mb.toFixed(1)),
  ]
}
