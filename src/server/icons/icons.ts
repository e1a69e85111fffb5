/**
 * Asset icons, fetched by the server so that browsers ask only the merchant. Nothing else waits for them or fails because of them. What visitors can cause is bounded: images are kept, failures are remembered, and only so many are fetched at once
 * and in a minute. See docs/decisions/strangers.md.
 */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import { imageAnswer } from '../http/picture-response.ts'
import { type Method, methodId } from '../offers.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import { type IconSources, type Image, loadIcon } from './icon-load.ts'

const keepMs = 24 * 3_600_000
const maxKept = 200
const maxKeptBytes = 16 * 1_048_576
/** A host that does not answer is not asked again for this long. */
const failureMs = 60_000
const maxFailures = 1_000
const maxAtOnce = 16
const maxInAMinute = 120

/** Where the icon of a method is. */
export interface IconPlace {
  readonly method: Pick<Method, 'asset' | 'network'>
  readonly url: string
}

interface Kept extends Image {
  readonly untilMs: number
}

/** Returns a function that answers with the image of a method, or rejects with `not_found`. */
export function createIcons(sources: IconSources & { readonly now: () => number }) {
  const { now } = sources
  const kept = new LRUCache<string, Kept>({
    max: maxKept,
    maxSize: maxKeptBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.byteLength),
  })
  const failedUntilMs = new LRUCache<string, number>(growingTo(maxFailures))
  const flight = createSingleFlight<Image>()
  let atOnce = 0
  /** When the last ones were fetched. */
  let fetchedAtMs: readonly number[] = []

  async function load(name: string, url: string): Promise<Image> {
    if ((failedUntilMs.get(url) ?? 0) > now()) throw new PaywindowError('not_found', 'The icon could not be fetched')
    fetchedAtMs = fetchedAtMs.filter((atMs) => atMs > now() - 60_000)
    if (atOnce >= maxAtOnce || fetchedAtMs.length >= maxInAMinute)
      throw new PaywindowError('not_found', 'Too many icons are being fetched')
    fetchedAtMs = [...fetchedAtMs, now()]
    atOnce += 1
    try {
      const image = await loadIcon(url, sources)
      kept.set(name, { ...image, untilMs: now() + keepMs })
      return image
    } catch (error) {
      failedUntilMs.set(url, now() + failureMs)
      throw error
    } finally {
      atOnce -= 1
    }
  }

  return async ({ method, url }: IconPlace): Promise<Response> => {
    const name = nameOf(method, url)
    const known = kept.get(name)
    const { type, bytes } = known && known.untilMs > now() ? known : await flight(name, () => load(name, url))
    return imageAnswer(bytes, type)
  }
}

/**
 * Storage URLs are signed anew for each order, in their query; what they point to stays the same. Where the query chooses the
 * picture, it is that of another method.
 */
function nameOf(method: IconPlace['method'], url: string): string {
  const { origin, pathname } = new URL(url)
  return `${methodId(method)} ${origin}${pathname}`
}
