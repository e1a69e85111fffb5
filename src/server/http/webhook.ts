/** Takes the service's webhook. Nothing in it is believed: its order id is a hint which order to look at. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Settings } from '../options.ts'
import { sameSecret } from '../records/ids.ts'
import { readBody } from './read-request.ts'

/** An event has some hundred bytes, and the words of whoever created the order. */
const maxBodyBytes = 65_536

/** @param hint - Called with the order id of each event; has to return at once. */
export function createWebhook(
  settings: Pick<Settings, 'webhookSecret' | 'clock' | 'report'>,
  hint: (orderId: string) => void,
): (request: Request) => Promise<Response> {
  const { webhookSecret, clock, report } = settings
  let isReported = false

  function reportMissing(): void {
    if (isReported) return
    isReported = true
    const what = 'A webhook came, but the option webhookSecret is not set: webhook answers 404 until it is'
    report(new PaywindowError('invalid_options', what), {})
  }

  return async (request) => {
    if (webhookSecret === undefined) {
      reportMissing()
      return empty(404)
    }
    const path = new URL(request.url).pathname.replace(/\/$/, '')
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const given = bearer ?? path.slice(path.lastIndexOf('/') + 1)
    if (!sameSecret(given, webhookSecret)) return empty(bearer === undefined ? 404 : 401)
    if (request.method !== 'POST') return empty(405, { allow: 'POST' })
    try {
      const event: unknown = JSON.parse(new TextDecoder().decode(await readBody(request, clock, maxBodyBytes)))
      const orderId = orderIdOf(event)
      if (orderId !== undefined) hint(orderId)
      return empty(204)
    } catch (error) {
      return empty(error instanceof PaywindowError && error.code === 'request_too_large' ? 413 : 400)
    }
  }
}

/** The order that an event is about; undefined for events of another kind. Other services may write to the same address. */
function orderIdOf(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || !('data' in event)) return undefined
  const { data } = event
  if (typeof data !== 'object' || data === null || !('order_id' in data)) return undefined
  const { order_id } = data
  return typeof order_id === 'string' && /^[!-~]{1,100}$/.test(order_id) ? order_id : undefined
}

function empty(status: 204 | 400 | 401 | 404 | 405 | 413, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
