/** Takes the service's webhook. It proves nothing: its order id is a hint which order to read. */
import { PaywindowError } from '../../contract/errors.ts'
import { parseExactJson } from '../../service/json.ts'
import type { Settings } from '../options.ts'
import { sameSecret } from '../records/ids.ts'
import { isBodyUsed, readBody } from './exchange.ts'

/** An event has some hundred bytes, and texts of the order's creator. */
const maxBodyBytes = 65_536

const missing = 'A webhook came, but the option webhookSecret is not set: webhook answers 404 until it is'
const unreadable =
  'A webhook came whose body something had read before, so its order is not known: on the server, mount the webhook before body parsers'

/** @param hint - Called with the order id of each event; has to return at once. */
export function createWebhook(
  settings: Pick<Settings, 'webhookSecret' | 'clock' | 'report'>,
  hint: (orderId: string) => void,
): (request: Request) => Promise<Response> {
  const { webhookSecret, clock, report } = settings
  const reported = new Set<string>()

  function reportOnce(what: string): void {
    if (reported.has(what)) return
    reported.add(what)
    report(new PaywindowError('invalid_options', what), {})
  }

  return async (request) => {
    if (webhookSecret === undefined) {
      reportOnce(missing)
      return empty(404)
    }
    const bearers = bearersOf(request.headers)
    const path = new URL(request.url).pathname.replace(/\/$/, '')
    const given = [...bearers, path.slice(path.lastIndexOf('/') + 1)]
    if (!given.some((each) => sameSecret(each, webhookSecret))) return empty(bearers.length === 0 ? 404 : 401)
    if (request.method !== 'POST') return empty(405, { allow: 'POST' })
    try {
      const event = parseExactJson(new TextDecoder().decode(await readBody(request, clock, maxBodyBytes)))
      const orderId = orderIdOf(event)
      if (orderId === null) reportOnce(unreadable)
      else if (orderId !== undefined) hint(orderId)
      return empty(204)
    } catch (error) {
      if (isBodyUsed(request)) reportOnce(unreadable)
      return empty(error instanceof PaywindowError && error.code === 'request_too_large' ? 413 : 400)
    }
  }
}

/** A proxy may write its own token, move ours to another header, or send both. */
function bearersOf(headers: Headers): readonly string[] {
  const texts = ['authorization', 'x-forwarded-authorization'].map((name) => headers.get(name) ?? '')
  return texts.flatMap((text) => [...text.matchAll(/(?:^|,)\s*Bearer ([^\s,]+)/gi)].flatMap(([, token]) => token ?? []))
}

/** The order id as it is written. Undefined for other events. Null where a parser lost digits. */
function orderIdOf(event: unknown): string | null | undefined {
  if (typeof event !== 'object' || event === null || !('data' in event)) return undefined
  const { data } = event
  if (typeof data !== 'object' || data === null || !('order_id' in data)) return undefined
  const { order_id } = data
  if (order_id === null) return null
  return typeof order_id === 'string' && /^[!-~]{1,100}$/.test(order_id) ? order_id : undefined
}

function empty(status: 204 | 400 | 401 | 404 | 405 | 413, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
