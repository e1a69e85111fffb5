/** Browsers: each polls every five seconds on a connection that it keeps, and new ones come and create a checkout. */
import { Agent, type RequestOptions, request } from 'node:http'
import { keyHeader } from '../../../src/contract/checkout.ts'
import type { Browser } from './messages.ts'

const pollEveryMs = 5_000
const tickMs = 10

/** What browsers saw. Times in ms. */
export interface Seen {
  readonly polls: readonly number[]
  readonly creations: readonly number[]
  /** Until the last answer, which can be long after the last request. */
  readonly tookSeconds: number
  /** Answers that were no success, by what they were. */
  readonly errors: ReadonlyMap<string, number>
}

/** Sends what is due every ten milliseconds, whether or not the server keeps up. */
export async function press(
  port: number,
  browsers: readonly Browser[],
  { seconds, creationsPerSecond }: { readonly seconds: number; readonly creationsPerSecond: number },
): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const seen = { polls: [] as number[], creations: [] as number[], errors: new Map<string, number>() }
  const fail = (what: string) => seen.errors.set(what, (seen.errors.get(what) ?? 0) + 1)
  const under: Promise<void>[] = []
  const beganAt = performance.now()
  let [polled, created] = [0, 0]
  for (;;) {
    const passedMs = Math.min(performance.now() - beganAt, seconds * 1_000)
    for (; polled < (passedMs * browsers.length) / pollEveryMs; polled++) {
      const browser = browsers[polled % browsers.length]
      if (browser) under.push(poll(port, browser, agent, seen.polls, fail))
    }
    for (; created < (passedMs * creationsPerSecond) / 1_000; created++)
      under.push(create(port, created, agent, seen.creations, fail))
    if (passedMs >= seconds * 1_000) break
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  await Promise.all(under)
  agent.destroy()
  return { ...seen, tookSeconds: (performance.now() - beganAt) / 1_000 }
}

/** Sends requests on 16 connections, the next as soon as one is answered. Resolves with the times in ms. */
export async function saturate(seconds: number, ask: (number: number) => RequestOptions): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const fail = (what: string) => {
    throw new Error(what)
  }
  const endsAt = performance.now() + seconds * 1_000
  let sent = 0
  const connection = async () => {
    while (performance.now() < endsAt) await timed(times, fail, { ...ask(sent++), agent })
  }
  await Promise.all(Array.from({ length: 16 }, connection))
  agent.destroy()
  return times
}

/** The request of a browser's poll. */
export function pollOf(port: number, { id, key }: Browser): RequestOptions {
  return { port, path: `/paywindow/checkouts/${id}`, headers: { [keyHeader]: key } }
}

function poll(port: number, browser: Browser, agent: Agent, times: number[], fail: (what: string) => void) {
  return timed(times, fail, { ...pollOf(port, browser), agent })
}

function create(port: number, number: number, agent: Agent, times: number[], fail: (what: string) => void) {
  const headers = { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` }
  const body = JSON.stringify({ reference: `new-${number}` })
  return timed(times, fail, { port, agent, method: 'POST', path: '/paywindow/checkouts', headers }, body)
}

async function timed(
  times: number[],
  fail: (what: string) => void,
  options: RequestOptions,
  body?: string,
): Promise<void> {
  const sentAt = performance.now()
  await new Promise<void>((resolve) => {
    const sent = request({ ...options, host: '127.0.0.1' }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) times.push(performance.now() - sentAt)
        else fail(`${options.method ?? 'GET'} ${answer.statusCode}`)
        resolve()
      })
    })
    sent.setTimeout(90_000, () => sent.destroy(new Error('timeout')))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      fail(error.code ?? error.message)
      resolve()
    })
    sent.end(body)
  })
}
