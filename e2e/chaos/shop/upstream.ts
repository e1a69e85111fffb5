/** A server's connection to the service. It links orders to requests, and may crash the server. */
import { checkUnderWay } from '../checks/creations.ts'
import type { Mortal } from '../faults/crashing-store.ts'
import { type ServerClock, turnMs } from '../world/clocks.ts'
import type { Post } from '../world/oracle.ts'
import type { World } from '../world/types.ts'

/** Whether an answer is the service's own. Servers do not take the time from any other. */
async function isJson(response: Response): Promise<boolean> {
  return response.json().then(
    () => true,
    () => false,
  )
}

/** Creates the `fetch` with which one server calls the service. */
export function createUpstream(service: typeof fetch, server: Mortal, clock: ServerClock, world: World): typeof fetch {
  const { audit, oracle, time } = world
  const { strikes } = world.faults

  async function mortal(call: 'a creation' | 'an upstream call', send: () => Promise<Response>): Promise<Response> {
    if (!server.isAlive()) return server.crash()
    if (strikes(`server: crash before ${call}`)) return server.crash()
    // Even without faults, the network takes some time.
    await server.sleep(world.faults.random.between(15, 160))
    const response = await send()
    await server.awake()
    if (strikes(`server: crash after ${call}`)) return server.crash()
    clock.hasServiceTime ||= response.ok && (await isJson(response.clone()))
    return server.isAlive() ? response : server.crash()
  }

  return async (input, init) => {
    if (init?.method !== 'POST') return mortal('an upstream call', () => service(input, init))
    const sentMs = time.nowMs()
    const post: Post = {
      intent: audit.calls.getStore()?.intent,
      sentMs,
      senderIsAlive: server.isAlive,
      senderAheadMs: clock.aheadMs,
      senderPausedMs: () => clock.pauses.sinceMs(sentMs - turnMs),
      serviceForwardMs: world.serviceClock.forwardMs,
      inFlight: true,
      orders: 0,
      laterMs: 0,
    }
    // The store may have taken long since this was stored.
    if (post.intent) checkUnderWay(world, post.intent.checkoutId, clock)
    const over = () => {
      post.inFlight = false
    }
    init.signal?.addEventListener('abort', over, { once: true })
    try {
      return await oracle.during(post, () => mortal('a creation', () => service(input, init)))
    } finally {
      over()
    }
  }
}
