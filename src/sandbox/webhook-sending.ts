/** Sends one webhook to one receiver until it is accepted, or until there have been enough tries. */
import type { Clock } from '../service/clock.ts'
import type { WebhookReceiver } from './webhook-types.ts'

const timeoutMs = 10_000

/** What sending needs. */
interface Way {
  readonly fetch: typeof fetch
  readonly sleep: Clock['sleep']
  readonly repeatAfterMs: readonly number[]
  /** Aborts when everything ends. */
  readonly stop: AbortSignal
  /** Whether somebody is still to get webhooks there. */
  readonly isWanted: (url: string) => boolean
}

/**
 * @param onStatus - Called with the HTTP status of each try, null for no answer, and with whether there is another.
 * @returns Rejects when `stop` aborts.
 */
export async function sendWebhook(
  { url, secret }: WebhookReceiver,
  body: string,
  way: Way,
  onStatus: (status: number | null, repeats: boolean) => void,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  }
  for (const [at, waitMs] of [0, ...way.repeatAfterMs].entries()) {
    if (waitMs > 0) await way.sleep(waitMs, way.stop)
    if (!way.isWanted(url)) return
    const status = await statusOf(url, { method: 'POST', headers, body, redirect: 'manual' }, way)
    way.stop.throwIfAborted()
    const isAccepted = status !== null && status >= 200 && status < 300
    onStatus(status, !isAccepted && at < way.repeatAfterMs.length)
    if (isAccepted) return
  }
}

async function statusOf(url: string, init: RequestInit, { fetch, sleep, stop }: Way): Promise<number | null> {
  const waiting = new AbortController()
  const sending = new AbortController()
  const end = () => sending.abort(stop.reason)
  stop.addEventListener('abort', end, { once: true })
  sleep(timeoutMs, waiting.signal).then(
    () => sending.abort(),
    // The answer came first.
    () => undefined,
  )
  try {
    const response = await fetch(url, { ...init, signal: sending.signal })
    await response.body?.cancel()
    return response.status
  } catch {
    // Whatever the reason: the receiver did not answer, and that is what is told.
    return null
  } finally {
    waiting.abort()
    stop.removeEventListener('abort', end)
  }
}
