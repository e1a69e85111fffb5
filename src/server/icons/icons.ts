/**
 * Asset icons, fetched by the server so that browsers ask only the merchant. Visitors can cause few
 * fetches: images and failures are kept, and fetches are limited at once and in a minute. See
 * docs/decisions/strangers.md.
 */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { readBytes } from '../../service/body.ts'
import type { Clock } from '../../service/clock.ts'
import { createLru } from '../../service/lru.ts'
import type { ServiceOptions } from '../../service/options.ts'
import { within } from '../../service/within.ts'
import { imageAnswer } from '../http/exchange.ts'
import { type Method, methodId } from '../offers.ts'
import { hashOf } from '../records/ids.ts'
import type { Repository } from '../records/repository.ts'
import { createSingleFlight } from '../time/work.ts'
import { drawCoin } from './coins/coin-icons.ts'

const keepMs = 24 * 3_600_000
const maxKept = 200
const maxKeptBytes = 16 * 1_048_576
/** A host that does not answer is not asked again for this long. */
const failureMs = 60_000
const maxFailures = 1_000
const maxAtOnce = 16
const maxInAMinute = 120

/** The members of the context that icons use. */
interface World extends Pick<Clock, 'now' | 'sleep'> {
  readonly settings: {
    readonly service: Pick<ServiceOptions, 'baseUrl' | 'fetch'>
    readonly iconFetch?: IconFetch | undefined
  }
}

/**
 * Returns a function that answers with the icon of a name. It rejects with `not_found` for an
 * unknown name, and if the image cannot be fetched. Icons of the service's own origin are fetched
 * as the service is, all others from public addresses only.
 */
export function createIconResponder(
  { settings, now, sleep }: World,
  iconNames: Pick<IconNames, 'find'>,
): (name: string) => Promise<Response> {
  const webFetch = settings.service.fetch ?? ((input: string, init: RequestInit) => fetch(input, init))
  const iconAt = createIcons({
    fetch: settings.iconFetch ?? ((url, init) => fetch(url, { ...init, redirect: 'error' })),
    now,
    sleep,
    trustedOrigin: new URL(settings.service.baseUrl).origin,
    trustedFetch: (url, init) => webFetch(url, { ...init, redirect: 'error' }),
  })
  return async (name) => {
    const drawn = drawCoin(name)
    if (drawn) return drawn
    const place = await iconNames.find(name)
    if (!place) throw new PaywindowError('not_found', 'There is no such icon')
    return iconAt(place)
  }
}

/** Where the icon of a method is. */
export interface IconPlace {
  readonly method: Pick<Method, 'asset' | 'network'>
  readonly url: string
}

/** Returns a function that answers with the image at a place, or rejects with `not_found`. */
export function createIcons(sources: IconSources) {
  const { now } = sources
  const byClock = { perf: { now }, ttlResolution: 0 }
  const kept = new LRUCache<string, Image>({
    max: maxKept,
    maxSize: maxKeptBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.byteLength),
    ttl: keepMs,
    ...byClock,
  })
  const failed = new LRUCache<string, true>({ max: maxFailures, ttl: failureMs, ...byClock })
  const flight = createSingleFlight<Image>()
  let atOnce = 0
  /** When images were fetched in the last minute. */
  let fetchedAtMs: readonly number[] = []

  async function load(name: string, url: string): Promise<Image> {
    if (failed.has(url)) throw new PaywindowError('not_found', 'The icon could not be fetched')
    fetchedAtMs = fetchedAtMs.filter((atMs) => atMs > now() - 60_000)
    if (atOnce >= maxAtOnce || fetchedAtMs.length >= maxInAMinute)
      throw new PaywindowError('not_found', 'Too many icons are being fetched')
    fetchedAtMs = [...fetchedAtMs, now()]
    atOnce += 1
    try {
      const image = await loadIcon(url, sources)
      kept.set(name, image)
      return image
    } catch (error) {
      failed.set(url, true)
      throw error
    } finally {
      atOnce -= 1
    }
  }

  return async ({ method, url }: IconPlace): Promise<Response> => {
    // Without the query, which may be a new signature each time.
    const { origin, pathname } = new URL(url)
    const name = `${methodId(method)} ${origin}${pathname}`
    const { type, bytes } = kept.get(name) ?? (await flight(name, () => load(name, url)))
    return imageAnswer(bytes, type)
  }
}

const maxKnown = 1_000
/** 96 bits of a hash. Up to 0.1 the reference of the cart stood behind it. */
const offerIcon = /^([0-9a-f]{24})-/

/** Names by which browsers ask for icons, without their addresses. */
export type IconNames = ReturnType<typeof createIconNames>

/** Remembers in this process alone. */
export function createIconNames(repository: Repository) {
  const known = createLru<IconPlace>(maxKnown)

  return {
    /** The name of an offered method's icon; undefined if it has none. */
    nameOf: (method: Method) => {
      if (method.icon === undefined) return undefined
      const hash = hashOf(`${methodId(method)} ${method.icon}`).slice(0, 24)
      known.set(hash, { method, url: method.icon })
      return `${hash}-`
    },
    /** Where the icon of a name is; undefined for an unknown name. */
    find: async (name: string): Promise<IconPlace | undefined> => {
      const [, hash] = offerIcon.exec(name) ?? []
      if (hash !== undefined) return known.get(hash)
      const checkout = await repository.readCheckout(name)
      const url = checkout?.method.icon ?? checkout?.instructions?.iconUrl
      return checkout && url ? { method: checkout.method, url } : undefined
    },
  }
}

/** Bytes that an image may have. */
export const maxIconBytes = 262_144
const timeoutMs = 5_000
/** No SVG: it can carry scripts. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

/** The part of `fetch` that icons need. */
export type IconFetch = (
  url: string,
  init: { signal: AbortSignal; headers: Record<string, string> },
) => Promise<Response>

/** An image that was fetched and checked. */
export interface Image {
  readonly type: string
  readonly bytes: ArrayBuffer
}

/** Ways to fetch: from the service's own origin, and from anywhere else. */
export interface IconSources extends Pick<Clock, 'now' | 'sleep'> {
  readonly fetch: IconFetch
  /** The service's origin. It may be on this machine. */
  readonly trustedOrigin: string
  readonly trustedFetch: IconFetch
}

/** @throws PaywindowError `not_found` for a response that is no image, and after five seconds. */
export async function loadIcon(url: string, sources: IconSources): Promise<Image> {
  try {
    return await within(sources, timeoutMs, (signal) => load(url, sources, signal))
  } catch (cause) {
    throw new PaywindowError('not_found', 'The icon could not be fetched', { cause })
  }
}

async function load(url: string, sources: IconSources, signal: AbortSignal): Promise<Image> {
  const isTrusted = new URL(url).origin === sources.trustedOrigin
  if (!isTrusted && !isPublicHttps(url)) throw new Error('It has no public https address')
  const get = isTrusted ? sources.trustedFetch : sources.fetch
  const answer = await get(url, { signal, headers: { accept: imageTypes.join(', '), 'accept-encoding': 'identity' } })
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (answer.status !== 200 || !imageTypes.includes(type)) {
    answer.body?.cancel().catch(() => undefined)
    throw new Error(`Its address answered ${answer.status} ${type}`)
  }
  return { type, bytes: await readBytes(answer, maxIconBytes, signal) }
}

/** Whether the host is not plainly private. `iconFetch` checks the addresses behind its name. */
function isPublicHttps(url: string): boolean {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:' || (port !== '' && port !== '443')) return false
  if (/^[\d.]+$/.test(hostname) || hostname.includes(':') || !hostname.includes('.')) return false
  return !/(^|\.)(localhost|local|internal|home|lan|intranet|corp)\.?$/i.test(hostname)
}
