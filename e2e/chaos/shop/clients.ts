/** Payers' IP addresses, which the shop's proxy appends to the header that a payer has sent. */
import { fromHeader } from '../../../src/server/http/clients.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import type { Exchange } from '../checks/answer-rules.ts'
import type { World } from '../world/types.ts'

/** New checkouts that a client may cause in ten minutes. */
const mostPerClient = 30
const windowMs = 600_000
/** The header in which the proxy says from where a request came. */
export const forwardedHeader = 'x-forwarded-for'

/** How the shop tells its clients apart, and the limit for each. */
export const clientOptions: Pick<PaywindowOptions, 'clientKey' | 'creationsPerClient'> = {
  creationsPerClient: mostPerClient,
  clientKey: fromHeader(forwardedHeader, { trustedHops: 1 }),
}

/** Adds the proxy's header, and checks that limits hit only clients that exceed them. */
export function createClients({ plan, time, findings }: World) {
  const postedAt = new Map<string, number[]>()
  const startedAt = new Map<string, Map<string, number>>()
  const isRecent = (atMs: number) => atMs > time.nowMs() - windowMs

  /** A client may only be refused for its own requests. */
  function checkRefusal({ address, text }: Exchange): void {
    const posts = (postedAt.get(address) ?? []).filter(isRecent).length
    if (text.includes('started from here') && posts < mostPerClient)
      findings.violate('refused for another', `${address} is refused after ${posts} posts`)
  }

  /**
   * Any ten minutes can overlap two of the server's windows, and so allow twice the limit. A clock
   * that is set can end a window, so this is checked only where nobody sets a server's clock.
   */
  function checkMost({ server, address, reference }: Exchange): void {
    const name = `${server} ${address}`
    const started = startedAt.get(name) ?? new Map<string, number>()
    startedAt.set(name, started)
    if (!started.has(reference)) started.set(reference, time.nowMs())
    const carts = [...started.values()].filter(isRecent).length
    if (carts > 2 * mostPerClient && plan.clocksSet === 'service')
      findings.violate('asked too often', `${address} began ${carts} carts in ten minutes`)
  }

  return {
    /** Returns a request's headers as the proxy passes them on. */
    pass: (given: RequestInit['headers'], address: string) => {
      const headers = new Headers(given)
      headers.append(forwardedHeader, address)
      return headers
    },
    check: (exchange: Exchange) => {
      const { address, method, status } = exchange
      const isPost = method === 'POST'
      if (isPost) postedAt.set(address, [...(postedAt.get(address) ?? []).filter(isRecent), time.nowMs()])
      if (status === 429) checkRefusal(exchange)
      if (status === 200 && isPost) checkMost(exchange)
    },
  }
}
