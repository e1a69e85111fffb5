/**
 * A hostile host of icons: all pictures have one path, and it may answer anything. Browsers request
 * the icons in an answer from the merchant's servers. Each must get the picture of its own asset,
 * and the servers must not ask the host without bound.
 */
import { asRecord } from '../../../src/contract/parse.ts'
import type { IconFetch } from '../../../src/server/icons/icons.ts'
import type { Method } from '../../../src/server/offers.ts'
import type { ServerClock } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Findings } from './findings.ts'
import type { SegmentPlan } from './plan.ts'
import { createRandomStream, type RandomStream } from './random.ts'
import type { VirtualTime } from './time.ts'

/** The host, and the check of the icons that servers return. */
export interface Icons {
  /** Returns one server's `fetch` of the host. */
  hostFor(clock: ServerClock): IconFetch
  /** Remembers which asset each icon in an answer belongs to. */
  note(answer: unknown): void
  /** Checks that a picture returned by a server is that of the asset it was named for. */
  check(path: string, status: number, text: string): void
  /** Returns a browser's handling of an answer: it loads icons that it has not shown yet. */
  browser(load: (path: string) => Promise<unknown>): (answer: string) => void
}

const place = 'https://icons.example/icon'
/** A little less than the time after which a server fetches a URL again. */
const patienceMs = 59_000
const mostAtOnce = 16

/** Adds the URL of its icon to a method, as the merchant offers it. */
export function withIcon(method: Method): Method {
  return { ...method, icon: `${place}?asset=${method.asset}` }
}

/** Wraps the service's `fetch`: each order gets newly signed icon URLs. */
export function signingIcons(service: typeof fetch): typeof fetch {
  let signatures = 0
  return async (input, init) => {
    const answer = await service(input, init)
    if (init?.method !== 'POST' || !answer.ok) return answer
    const text = await answer.text()
    const signed = (_: string, asset: string) =>
      `${place}?asset=${asset.toUpperCase()}&X-Amz-Signature=${++signatures}"`
    return new Response(text.replace(/https?:[^"]+\/icons\/([a-z]+)-[a-z]+\.png[^"]*"/g, signed), answer)
  }
}

/** Creates the host, which draws for each request what goes wrong. */
export function createIcons(plan: SegmentPlan, time: VirtualTime, faults: Faults, findings: Findings): Icons {
  const random = createRandomStream(plan.seed, 'icons')
  const assets = new Map<string, string>()

  return {
    hostFor: (clock) => {
      /** For each URL: when it was asked for last, and how far the server's clock was ahead. */
      const asked = new Map<string, { atMs: number; aheadMs: number }>()
      let atOnce = 0
      return async (url, { signal }) => {
        findings.count('icons fetched')
        const { aheadMs } = clock
        const before = asked.get(url)
        const passedMs = before ? time.nowMs() - before.atMs + aheadMs - before.aheadMs : Number.POSITIVE_INFINITY
        asked.set(url, { atMs: time.nowMs(), aheadMs })
        if (passedMs < patienceMs) findings.violate('icons without bound', `${url} again after ${passedMs} ms`)
        if (++atOnce > mostAtOnce) findings.violate('icons without bound', `${atOnce} at once`)
        signal.addEventListener('abort', () => atOnce--, { once: true })
        await time.sleep(random.between(5, 400))
        const picture = `picture of ${new URL(url).searchParams.get('asset')}`
        return (
          (await faultyAnswer(faults, random)) ?? new Response(picture, { headers: { 'content-type': 'image/png' } })
        )
      }
    },
    note: (answer) => {
      const json = asRecord(answer, 'answer')
      const offer = json.offer === undefined ? json : asRecord(json.offer, 'offer')
      // An offer may name the icon of its checkout first: the answer to the creation may have been
      // lost.
      const found = asRecord(offer.checkout ?? {}, 'checkout')
      for (const each of [json.asset, found.asset, ...(Array.isArray(offer.methods) ? offer.methods : [])]) {
        const { icon, asset, symbol } = asRecord(each ?? {}, 'asset')
        if (typeof icon === 'string') assets.set(`/${icon}`, String(asset ?? symbol))
      }
    },
    check: (path, status, text) => {
      if (status === 200 && text !== `picture of ${assets.get(path)}`)
        findings.violate('icon of another asset', `${assets.get(path)} is shown as ${text.slice(0, 40)}`)
    },
    browser: (load) => {
      const shown = new Set<string>()
      return (answer) => {
        // The server draws `coin-` icons itself, without a request to a host.
        for (const path of answer.match(/icons\/(?!coin-)[\w-]+/g) ?? []) {
          if (shown.has(path)) continue
          shown.add(path)
          // Most come from the browser's own cache.
          if (!random.chance(0.3)) continue
          void load(`/${path}`).catch(() => undefined)
        }
      }
    },
  }
}

/** Creates a body whose first bytes were sent already; `more` decides how it goes on. */
function bodyOf(more: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>) {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([1, 2, 3])),
    pull: more,
  })
}

/** Draws what goes wrong with one request; undefined if nothing does. */
function faultyAnswer({ strikes }: Faults, random: RandomStream): Response | Promise<Response> | undefined {
  const image = { headers: { 'content-type': 'image/png' } }
  if (strikes('icons: another status'))
    return new Response(null, { ...image, status: random.pick([204, 205, 301, 304, 403, 404, 500, 503]) })
  if (strikes('icons: a status that is none')) throw new RangeError('The status is 600')
  if (strikes('icons: another type')) return new Response('<script>', { headers: { 'content-type': 'text/html' } })
  if (strikes('icons: never answers')) return new Promise(() => undefined)
  if (strikes('icons: broken body'))
    return new Response(
      bodyOf((it) => it.error(new Error('reset'))),
      image,
    )
  if (strikes('icons: slow body'))
    return new Response(
      bodyOf(() => new Promise(() => undefined)),
      image,
    )
  if (strikes('icons: endless body'))
    return new Response(
      bodyOf((it) => it.enqueue(new Uint8Array(65_536))),
      image,
    )
  return undefined
}
