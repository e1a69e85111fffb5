/** The way between a browser and the merchant's servers, with a proxy in between that loses, repeats and mixes up. */
import { keyHeader } from '../../src/contract/checkout.ts'
import { PaywindowError } from '../../src/contract/errors.ts'
import type { Answers } from './answers.ts'
import { createDice } from './dice.ts'
import type { Fleet, Instance } from './fleet.ts'
import type { World } from './world.ts'

export interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  readonly timeoutMs: number
}

export interface Delivered {
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly text: string
}

/** One browser's connection. Rejects with `unreachable`. */
export type Connection = (ask: Ask) => Promise<Delivered>

export interface Link {
  /** @param reference - The cart that the browser's session may pay. */
  connect(reference: string, isOnline: () => boolean): Connection
}

const endpoint = 'https://shop.example/paywindow'
const proxyPage = '<!doctype html><title>502</title><h1>Bad gateway</h1>'

export function createLink(world: World, fleet: Fleet, answers: Answers): Link {
  const { time, findings, books, faults, breakage, plan } = world
  const { strikes } = faults
  const dice = createDice(plan.seed, 'link')

  /** Brings one request to one server, and its answer to the edge. */
  async function reach(instance: Instance, ask: Ask, reference: string): Promise<Delivered> {
    const arrivedMs = time.nowMs()
    const request = new Request(`${endpoint}${ask.path}`, {
      method: ask.method,
      headers: {
        ...(ask.body !== undefined && { 'content-type': 'application/json' }),
        ...(ask.key !== undefined && { [keyHeader]: ask.key }),
      },
      ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
    })
    const work = books.calls.run({ intent: undefined, clock: instance.clock }, () => instance.server.fetch(request))
    const response = await Promise.race([work, instance.died.then(broken)])
    const text = breakage.answer(await response.text())
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    const { method, path, key } = ask
    answers.check({
      reference,
      method,
      path,
      key,
      arrivedMs,
      clock: instance.clock,
      status: response.status,
      headers,
      text,
    })
    findings.trace('answered', method, path, response.status, text.length, text)
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfterMs: retryAfter ? Number(retryAfter) * 1000 : undefined, text }
  }

  async function travel(ask: Ask, reference: string): Promise<Delivered> {
    await time.sleep(strikes('link: slow request') ? dice.between(1_000, 9_000) : dice.between(5, 120))
    if (strikes('link: reset before work')) throw broken()
    if (strikes('link: error page of a proxy')) return page(proxyPage)
    const instance = fleet.pick()
    if (!instance) return page(proxyPage)
    const answer = reach(instance, ask, reference)
    if (strikes('link: request sent twice')) {
      const other = fleet.pick()
      const second = other && time.sleep(dice.between(0, 80)).then(() => reach(other, ask, reference))
      // Whichever the proxy passes on, the other one was carried out too.
      second?.catch(() => undefined)
      if (second && dice.chance(0.5)) {
        answer.catch(() => undefined)
        return second
      }
    }
    return answer
  }

  async function spoil(answer: Delivered): Promise<Delivered> {
    await time.sleep(strikes('link: slow answer') ? dice.between(1_000, 9_000) : dice.between(5, 120))
    if (strikes('link: reset after work')) throw broken()
    if (strikes('link: truncated body')) return { ...answer, text: answer.text.slice(0, answer.text.length / 2) }
    if (strikes('link: body twice')) return { ...answer, text: answer.text + answer.text }
    if (strikes('link: empty body')) return { ...answer, text: '' }
    return answer
  }

  return {
    connect: (reference, isOnline) => {
      const earlier = new Map<string, Delivered>()
      return async (ask) => {
        const patience = new AbortController()
        const impatience = time.sleep(ask.timeoutMs, patience.signal).then(() => Promise.reject(broken()))
        const send = async () => {
          if (!isOnline()) throw broken()
          if (strikes('link: hang')) return new Promise<never>(() => {})
          const answer = await spoil(await travel(ask, reference))
          if (!isOnline()) throw broken()
          const name = `${ask.method} ${ask.path}`
          const before = earlier.get(name)
          earlier.set(name, answer)
          return ask.method === 'GET' && before && strikes('link: answers out of order') ? before : answer
        }
        try {
          return await Promise.race([send(), impatience])
        } finally {
          impatience.catch(() => undefined)
          patience.abort()
        }
      }
    },
  }
}

function page(text: string): Delivered {
  return { status: 502, retryAfterMs: undefined, text }
}

function broken(): never {
  throw new PaywindowError('unreachable', 'The merchant server did not answer')
}
