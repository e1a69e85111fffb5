/**
 * Asset icons, fetched by the server so that browsers ask nobody but the merchant. Only images, only small ones, only from
 * public addresses; and never a reason for anything else to wait or fail.
 */
import { PaywindowError } from '../contract/errors.ts'

const maxBytes = 262_144
const keepMs = 24 * 3_600_000
const maxKept = 200
const timeoutMs = 5_000
/** No SVG: it can carry scripts. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

interface Icon {
  readonly type: string
  readonly bytes: ArrayBuffer
  readonly untilMs: number
}

/** As much of `fetch` as an icon needs. */
export type IconFetch = (
  url: string,
  init: { signal: AbortSignal; headers: Record<string, string> },
) => Promise<Response>

interface IconOptions {
  readonly fetch: IconFetch
  readonly now: () => number
  /** Origin of the service itself: its icons come by the service's own way, also when it runs on this machine. */
  readonly trustedOrigin: string
  readonly trustedFetch: IconFetch
}

/** Returns a function that answers with the image at a URL, or rejects with `not_found`. */
export function createIcons(options: IconOptions): (url: string) => Promise<Response> {
  const kept = new Map<string, Icon>()
  const inFlight = new Map<string, Promise<Icon>>()

  async function load(url: string): Promise<Icon> {
    const isTrusted = new URL(url).origin === options.trustedOrigin
    if (!isTrusted && !isPublicHttps(url)) throw new PaywindowError('not_found', 'The icon has no public https address')
    const get = isTrusted ? options.trustedFetch : options.fetch
    const answer = await get(url, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: imageTypes.join(', ') },
    })
    const type = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (!answer.ok || !imageTypes.includes(type))
      throw new PaywindowError('not_found', `The icon's address answered ${answer.status} ${type}`)
    const icon = { type, bytes: await readBytes(answer), untilMs: options.now() + keepMs }
    kept.set(withoutQuery(url), icon)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
    return icon
  }

  return async (url) => {
    // Storage URLs are signed anew for each order; what they point to stays the same.
    const name = withoutQuery(url)
    let icon = kept.get(name)
    if (!icon || icon.untilMs < options.now()) {
      const flight = inFlight.get(name) ?? load(url).finally(() => inFlight.delete(name))
      inFlight.set(name, flight)
      icon = await flight.catch((cause: unknown) => {
        throw cause instanceof PaywindowError
          ? cause
          : new PaywindowError('not_found', 'The icon could not be fetched', { cause })
      })
    }
    return new Response(icon.bytes, {
      headers: {
        'content-type': icon.type,
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
    })
  }
}

/** Whether a URL names a host that is not plainly of this machine or a private network. Names are resolved by the caller's fetch. */
function isPublicHttps(url: string): boolean {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:' || (port !== '' && port !== '443')) return false
  if (/^[\d.]+$/.test(hostname) || hostname.includes(':') || !hostname.includes('.')) return false
  return !/(^|\.)(localhost|local|internal|home|lan|intranet|corp)\.?$/i.test(hostname)
}

async function readBytes(answer: Response): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = answer.body?.getReader()
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      throw new PaywindowError('not_found', `The icon has more than ${maxBytes} bytes`)
    }
    parts.push(chunk.value)
  }
  return new Blob(parts).arrayBuffer()
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
