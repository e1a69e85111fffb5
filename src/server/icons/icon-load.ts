/** Fetches one icon: only a small image, only from a public address, and only within a time limit. */
import { PaywindowError } from '../../contract/errors.ts'
import { readBytes } from '../../service/body.ts'

/** Bytes that a picture may have. */
export const maxIconBytes = 262_144
const timeoutMs = 5_000
/** No SVG: it can carry scripts. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

/** The part of `fetch` that icons need. */
export type IconFetch = (
  url: string,
  init: { signal: AbortSignal; headers: Record<string, string> },
) => Promise<Response>

/** A picture that was fetched and checked. */
export interface Image {
  readonly type: string
  readonly bytes: ArrayBuffer
}

/** Ways to fetch: of the service's own origin, and of anything else. */
export interface IconSources {
  readonly fetch: IconFetch
  /** Origin of the service itself. Its icons are fetched as the service is, even if it runs on this machine. */
  readonly trustedOrigin: string
  readonly trustedFetch: IconFetch
  /** Resolves after so many milliseconds, rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** @throws PaywindowError `not_found` for everything that is no image, and after five seconds. */
export async function loadIcon(url: string, sources: IconSources): Promise<Image> {
  const loading = new AbortController()
  const waiting = new AbortController()
  const late = sources.sleep(timeoutMs, waiting.signal).then(() => {
    throw new Error(`It took more than ${timeoutMs} ms`)
  })
  try {
    // A fetch that ignores its signal is not waited for.
    return await Promise.race([load(url, sources, loading.signal), late])
  } catch (cause) {
    throw new PaywindowError('not_found', 'The icon could not be fetched', { cause })
  } finally {
    waiting.abort()
    loading.abort()
  }
}

async function load(url: string, sources: IconSources, signal: AbortSignal): Promise<Image> {
  const isTrusted = new URL(url).origin === sources.trustedOrigin
  if (!isTrusted && !isPublicHttps(url)) throw new Error('It has no public https address')
  const get = isTrusted ? sources.trustedFetch : sources.fetch
  const answer = await get(url, {
    signal,
    headers: { accept: imageTypes.join(', '), 'accept-encoding': 'identity' },
  })
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (answer.status !== 200 || !imageTypes.includes(type)) {
    answer.body?.cancel().catch(() => undefined)
    throw new Error(`Its address answered ${answer.status} ${type}`)
  }
  return { type, bytes: await readBytes(answer, maxIconBytes, signal) }
}

/** Whether a URL names a host that is not plainly of this machine or a private network. Names are resolved by the caller's fetch. */
function isPublicHttps(url: string): boolean {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:' || (port !== '' && port !== '443')) return false
  if (/^[\d.]+$/.test(hostname) || hostname.includes(':') || !hostname.includes('.')) return false
  return !/(^|\.)(localhost|local|internal|home|lan|intranet|corp)\.?$/i.test(hostname)
}
