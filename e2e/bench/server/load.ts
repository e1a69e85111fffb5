/**
 * Browsers: each polls every few seconds and names the answer that it has, and new ones create a
 * checkout. They share up to a thousand kept connections, as behind a proxy.
 */
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { keyHeader } from '../../../src/contract/checkout.ts'
import type { Browser } from './messages.ts'

const tickMs = 10
/** Later answers after the last request was due do not count as answered in time. */
const lateMs = 1_000

/** What is sent. */
interface Pressure {
  readonly seconds: number
  readonly creationsPerSecond: number
}

/** What browsers saw. Times in ms. */
export interface Seen {
  readonly polls: readonly number[]
  readonly creations: readonly number[]
  /** Polls that were answered with 304: nothing new. */
  readonly unchanged: number
  /** Polls that were answered until a second after the last was due. */
  readonly pollsInTime: number
  /** Answers that were no success, by what they were. */
  readonly errors: ReadonlyMap<string, number>
}

/** Browsers that remember what they were shown. */
export interface Load {
  press(pressure: Pressure): Promise<Seen>
  /** When a browser was first shown that a checkout is paid (ms since the epoch), by its id. */
  readonly shownAtMs: ReadonlyMap<string, number>
  end(): void
}

/**
 * Sends what is due every ten milliseconds, whether or not the server keeps up.
 *
 * @param ports - Where the servers listen, which take turns.
 * @param pollEveryMs - How often each browser polls. One press goes on where the one before ended.
 */
export function createLoad(ports: readonly number[], browsers: readonly Browser[], pollEveryMs: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const shownAtMs = new Map<string, number>()
  const etags = new Map<string, string>()
  let [turn, creations, sent] = [0, 0, 0]
  // Not the same for each poll of a browser, as behind a proxy that knows nothing of browsers.
  const nextPort = () => ports[sent++ % ports.length] ?? 0

  async function poll(browser: Browser, count: Count): Promise<void> {
    const { headers, ...options } = pollOf(nextPort(), browser)
    const etag = etags.get(browser.id)
    const answered = await timed({ ...options, agent, headers: { ...headers, ...(etag && { 'if-none-match': etag }) } })
    if (!count.take(answered, 'poll', [200, 304])) return
    if (answered.status === 304) return
    if (answered.etag) etags.set(browser.id, answered.etag)
    if (JSON.parse(answered.text).status === 'confirmed' && !shownAtMs.has(browser.id))
      shownAtMs.set(browser.id, Date.now())
  }

  async function create(count: Count): Promise<void> {
    const port = nextPort()
    const headers = { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` }
    const body = JSON.stringify({ reference: `new-${creations++}` })
    count.take(
      await timed({ port, agent, method: 'POST', path: '/paywindow/checkouts', headers }, body),
      'creation',
      [200],
    )
  }

  return {
    press: async ({ seconds, creationsPerSecond }) => {
      const count = createCount(performance.now() + seconds * 1_000 + lateMs)
      const under: Promise<void>[] = []
      const beganAt = performance.now()
      let [polled, created] = [0, 0]
      for (;;) {
        const passedMs = Math.min(performance.now() - beganAt, seconds * 1_000)
        for (; polled < (passedMs * browsers.length) / pollEveryMs; polled++) {
          const browser = browsers[turn++ % browsers.length]
          if (browser) under.push(poll(browser, count))
        }
        for (; created < (passedMs * creationsPerSecond) / 1_000; created++) under.push(create(count))
        if (passedMs >= seconds * 1_000) break
        await new Promise((resolve) => setTimeout(resolve, tickMs))
      }
      await Promise.all(under)
      return count.seen
    },
    shownAtMs,
    end: () => agent.destroy(),
  }
}

/** Sends requests on 16 connections, one after the other. Resolves with the times in ms. */
export async function saturate(seconds: number, ask: (number: number) => RequestOptions): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const endsAt = performance.now() + seconds * 1_000
  let sent = 0
  const connection = async () => {
    do {
      const { status, tookMs } = await timed({ ...ask(sent++), agent })
      if (status !== 200) throw new Error(`A server that is measured answered ${status}`)
      times.push(tookMs)
    } while (performance.now() < endsAt)
  }
  await Promise.all(Array.from({ length: 16 }, connection))
  agent.destroy()
  return times
}

/** The request of a browser's first poll. */
export function pollOf(
  port: number,
  { id, key }: Browser,
): RequestOptions & { readonly headers: Record<string, string> } {
  return { port, path: `/paywindow/checkouts/${id}`, headers: { [keyHeader]: key } }
}

interface Answered {
  /** The code of an answer, or why there was none. */
  readonly status: number | string
  readonly etag: string | undefined
  readonly text: string
  readonly tookMs: number
}

type Count = ReturnType<typeof createCount>

function createCount(inTimeUntil: number) {
  const errors = new Map<string, number>()
  const polls: number[] = []
  const creations: number[] = []
  const seen = { polls, creations, errors, unchanged: 0, pollsInTime: 0 }
  return {
    seen: seen satisfies Seen,
    /** Resolves with whether the answer is an expected one. */
    take: (
      { status, tookMs }: Answered,
      what: 'poll' | 'creation',
      expected: readonly (number | string)[],
    ): boolean => {
      if (!expected.includes(status)) {
        const name = `${what} ${status}`
        errors.set(name, (errors.get(name) ?? 0) + 1)
        return false
      }
      if (what === 'creation') creations.push(tookMs)
      else polls.push(tookMs)
      if (status === 304) seen.unchanged += 1
      if (what === 'poll' && performance.now() <= inTimeUntil) seen.pollsInTime += 1
      return true
    },
  }
}

/** Sends one request. Never rejects. */
export function timed(options: RequestOptions, body?: string): Promise<Answered> {
  const sentAt = performance.now()
  return new Promise((resolve) => {
    const end = (status: number | string, text = '', etag?: string) =>
      resolve({ status, etag, text, tookMs: performance.now() - sentAt })
    const fail = (error: NodeJS.ErrnoException) => end(error.code ?? error.message)
    const sent = request({ ...options, host: '127.0.0.1' }, (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => end(answer.statusCode ?? 0, Buffer.concat(chunks).toString(), answer.headers.etag))
      answer.on('error', fail)
    })
    sent.setTimeout(90_000, () => sent.destroy(new Error('timeout')))
    sent.on('error', fail)
    sent.end(body)
  })
}
