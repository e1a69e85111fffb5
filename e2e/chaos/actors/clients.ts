/** Payers' IP addresses: each payer has its own, and the shop's reverse proxy appends it to the header that the payer sent. */
import { fromHeader } from '../../../src/server/http/from-header.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import type { Link } from '../world/network.ts'
import { createRandomStream } from '../world/random.ts'
import type { World } from '../world/types.ts'

/** New checkouts that a client may cause in ten minutes. */
const mostPerClient = 30
const windowMs = 600_000
const header = 'x-forwarded-for'

/** How the shop tells its clients apart, and the limit for each. */
export const clientOptions: Pick<PaywindowOptions, 'clientKey' | 'creationsPerClient'> = {
  creationsPerClient: mostPerClient,
  clientKey: fromHeader(header, { trustedHops: 1 }),
}

/** One request of a client, and one server's answer to it. */
interface Exchange {
  readonly server: string
  readonly address: string
  readonly reference: string
  readonly isPost: boolean
  readonly status: number
  readonly text: string
}

/** Payers as the limits per client see them. */
export interface Clients {
  /** Returns a request's headers as the proxy passes them on. */
  pass(headers: RequestInit['headers'], address: string): Headers
  check(exchange: Exchange): void
}

/** Adds the proxy's header to each request, and checks that the limits hit only those who exceed them. */
export function createClients({ plan, time, findings }: Pick<World, 'plan' | 'time' | 'findings'>): Clients {
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
   * The server's windows may begin at any time, so any ten minutes overlap up to two of them and allow twice the limit. Setting a
   * server's clock can end a window, so this is checked only where nobody does that.
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
    pass: (given, address) => {
      const headers = new Headers(given)
      headers.append(header, address)
      return headers
    },
    check: (exchange) => {
      const { address, isPost, status } = exchange
      if (isPost) postedAt.set(address, [...(postedAt.get(address) ?? []).filter(isRecent), time.nowMs()])
      if (status === 429) checkRefusal(exchange)
      if (status === 200 && isPost) checkMost(exchange)
    },
  }
}

/** Returns the IP address of a device. */
export function addressOf(seed: number, name: string): string {
  const random = createRandomStream(seed, `address of ${name}`)
  return `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`
}

/** An attacker who begins a payment of another cart every two seconds, each time with another forged address in the header. */
export async function runForger({ plan, carts, time, findings }: World, link: Link): Promise<void> {
  if (!plan.strain.forger) return
  const random = createRandomStream(plan.seed, 'forger')
  const address = addressOf(plan.seed, 'forger')
  await time.sleep(60_000)
  for (let post = 0; post < 200; post++) {
    const cart = [...carts.values()].at(0)
    const method = cart?.methods[0]
    if (!cart || !method) return
    const reference = `forged-${plan.number}-${post}`
    carts.set(reference, { reference, prices: [{ asset: 'USD', amount: `${1_000 + post}.5` }], methods: cart.methods })
    findings.count('posts with a forged address')
    const forged = `10.${random.between(0, 255)}.0.${random.between(1, 254)}`
    await link
      .connect({ reference, address, isOnline: () => true })('/paywindow/checkouts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [header]: forged },
        body: JSON.stringify({ reference, ...method }),
      })
      .catch(() => undefined)
    await time.sleep(2_000)
  }
}
