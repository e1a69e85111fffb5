/** Answers load balancers and supervisors. */
import type { Health } from './health.ts'

/**
 * Returns a handler for two paths, at whatever path it is mounted. `/live`: 200, the process answers; it reads nothing. `/ready`: 200 or 503,
 * with `Health` as JSON. Every other path: 404; methods other than GET and HEAD: 405.
 *
 * @example
 * ```ts
 * const paywindow = createPaywindow({ service: createSandbox().access, offer: () => null, store: createMemoryStore() })
 * const handle = healthHandler(paywindow)
 * const live = await handle(new Request('https://shop.example/health/live'))
 * live.status // => 200
 * ```
 */
export function healthHandler(paywindow: { health(): Promise<Health> }): (request: Request) => Promise<Response> {
  return async (request) => {
    const [, path] = /\/(live|ready)$/.exec(new URL(request.url).pathname) ?? []
    if (path === undefined) return answer(404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405)
    if (path === 'live') return answer(200, { isAlive: true })
    const health = await paywindow.health()
    return answer(health.isReady ? 200 : 503, health)
  }
}

function answer(status: number, body?: object): Response {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers })
}
