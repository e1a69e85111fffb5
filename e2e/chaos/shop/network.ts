/** The network between browsers and servers. Its proxy loses, repeats and mixes up requests. */
import { keyHeader } from '../../../src/contract/checkout.ts'
import type { Exchange } from '../checks/answer-rules.ts'
import type { Answers } from '../checks/answers.ts'
import type { Faults } from '../world/faults.ts'
import { createRandomStream, type RandomStream } from '../world/random.ts'
import type { VirtualTime } from '../world/time.ts'
import type { Browser, Instance, Link, Servers, World } from '../world/types.ts'
import { createClients } from './clients.ts'

interface Ask {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly init: RequestInit | undefined
  readonly key: string | undefined
}

interface Delivered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const shop = 'https://shop.example'

/** Creates the network, with one proxy for all browsers. */
export function createLink(world: World, servers: Servers, answers: Answers): Link {
  const { time, faults, plan } = world
  const { strikes } = faults
  const random = createRandomStream(plan.seed, 'link')

  const reach = createReach(world, answers)
  const cached = createCache(strikes('link: cache that keeps all'))

  async function travel(ask: Ask, browser: Browser): Promise<Delivered> {
    await time.sleep(strikes('link: slow request') ? random.between(1_000, 9_000) : random.between(5, 120))
    if (strikes('link: reset before work')) throw broken()
    if (strikes('link: error page of a proxy')) return badGateway
    if (strikes('link: 429 of a proxy')) return tooMany(time, random)
    const instance = servers.pick()
    if (!instance) return badGateway
    const answer = reach(instance, ask, browser)
    if (strikes('link: request sent twice')) {
      const other = servers.pick()
      const second = other && time.sleep(random.between(0, 80)).then(() => reach(other, ask, browser))
      // The proxy returns one of the two answers, but servers handle both requests.
      second?.catch(() => undefined)
      if (second && random.chance(0.5)) {
        answer.catch(() => undefined)
        return second
      }
    }
    return answer
  }

  return {
    connect: (browser) => {
      const { isOnline, received = (text: string) => text } = browser
      const earlier = new Map<string, Delivered>()

      async function send(ask: Ask): Promise<Response> {
        if (!isOnline()) throw broken()
        if (strikes('link: hang')) return new Promise<never>(() => {})
        const answer = await damaged(faults, time, random, await cached(ask, () => travel(ask, browser)))
        if (!isOnline()) throw broken()
        const name = `${ask.method} ${ask.url.pathname}`
        const before = earlier.get(name)
        earlier.set(name, answer)
        // Whoever loads a page drops the answer to what was loaded before.
        const isMixedUp = ask.method === 'GET' && !isPage(ask.url) && before && strikes('link: answers out of order')
        const { text, ...init } = isMixedUp ? before : answer
        return new Response(init.status === 304 ? null : received(text), init)
      }

      return (input, init) =>
        Promise.race([
          send({
            method: init?.method === 'POST' ? 'POST' : 'GET',
            url: new URL(String(input), shop),
            init,
            key: new Headers(init?.headers).get(keyHeader) ?? undefined,
          }),
          abortOf(init?.signal),
        ])
    },
  }
}

const badGateway: Delivered = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  text: '<!doctype html><title>502</title><h1>Bad gateway</h1>',
}

function abortOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function broken(): never {
  throw new TypeError('Failed to fetch')
}

/** Whether it is the address of the page that servers draw. */
function isPage({ pathname }: URL): boolean {
  return pathname.endsWith('/pay')
}

/**
 * A cache that keeps answers for good, and looks at nothing but the address. It leaves out pages:
 * nothing helps a reader without scripts who gets what another one was shown.
 */
function createCache(isThere: boolean) {
  const kept = new Map<string, Delivered>()
  return async ({ method, url }: Ask, travel: () => Promise<Delivered>): Promise<Delivered> => {
    if (!isThere || method === 'POST' || isPage(url)) return travel()
    const answer = kept.get(url.href) ?? (await travel())
    if (answer.status === 200) kept.set(url.href, answer)
    return answer
  }
}

/** Returns a function that takes one request to one server and checks the answer. */
function createReach(world: World, answers: Answers) {
  const { time, findings, audit, breakage, ledger } = world
  const clients = createClients(world)
  return async (instance: Instance, ask: Ask, { reference, address }: Browser): Promise<Delivered> => {
    await Promise.race([instance.clock.pauses.awake(), instance.died.then(broken)])
    const arrivedMs = time.nowMs()
    const errors = ledger.errors()
    const request = new Request(ask.url, {
      ...ask.init,
      headers: clients.pass(ask.init?.headers, address),
      signal: null,
    })
    const { method, url, key } = ask
    const fetch = breakage.serverFetch(instance.server.fetch)
    const work = audit.calls.run({ method, intent: undefined, clock: instance.clock }, () => fetch(request))
    const response = await Promise.race([work, instance.died.then(broken)])
    if (response.status === 500 && ledger.errors() === errors)
      findings.violate('failure, unreported', `500 to ${ask.method} ${ask.url}`)
    const text = breakage.answer(await response.text())
    const headers = Object.fromEntries(response.headers)
    const path = url.pathname
    const exchange: Exchange = {
      reference,
      address,
      method,
      path,
      search: url.search,
      cookie: new Headers(ask.init?.headers).get('cookie') ?? '',
      act: ask.init?.body instanceof URLSearchParams ? (ask.init.body.get('act') ?? undefined) : undefined,
      key,
      arrivedMs,
      server: instance.name,
      clock: instance.clock,
      status: response.status,
      headers: Object.entries(headers).join('\n'),
      text,
    }
    answers.check(exchange)
    clients.check(exchange)
    findings.trace('answered', method, path, response.status, text.length, text)
    return { status: response.status, headers, text }
  }
}

/** A proxy's own rate limit. `Retry-After` is missing, in seconds or a date, even of the past. */
function tooMany(time: VirtualTime, random: RandomStream): Delivered {
  const date = new Date(time.nowMs()).toUTCString()
  const later = new Date(time.nowMs() + random.between(-60_000, 600_000)).toUTCString()
  const retryAfter = random.pick([undefined, '3', '86400', later])
  return { status: 429, headers: { date, ...(retryAfter && { 'retry-after': retryAfter }) }, text: '' }
}

/** Carries an answer back to the browser, unless it is lost, and may damage its body. */
async function damaged(
  { strikes }: Faults,
  time: VirtualTime,
  random: RandomStream,
  answer: Delivered,
): Promise<Delivered> {
  await time.sleep(strikes('link: slow answer') ? random.between(1_000, 9_000) : random.between(5, 120))
  if (strikes('link: reset after work')) throw broken()
  if (strikes('link: truncated body')) return { ...answer, text: answer.text.slice(0, answer.text.length / 2) }
  if (strikes('link: body twice')) return { ...answer, text: answer.text + answer.text }
  if (strikes('link: empty body')) return { ...answer, text: '' }
  return answer
}
