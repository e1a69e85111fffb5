/** Rules for what servers ask of the service: why, how often, and one at a time. */
import { type ServerClock, turnMs } from '../world/clocks.ts'
import type { World } from '../world/types.ts'

/** A living server waits for the answer to a creation for less time than this. */
const creationPatienceMs = 19_000
/**
 * Servers whose clocks are further apart cannot agree on whose turn it is. Nobody sees or pays the
 * order of one of them, so such cases are only counted; see docs/maintainers/chaos.md.
 */
const clockBoundMs = 15_000

/**
 * Checks, before a creation is sent, that none of the same checkout is under way.
 *
 * @param clock - Of the server that is about to send it.
 */
export function checkUnderWay({ time, findings, oracle }: World, checkoutId: string, clock: ServerClock): void {
  const rival = oracle.posts.find(
    (post) =>
      post.intent?.checkoutId === checkoutId &&
      post.inFlight &&
      post.senderIsAlive() &&
      time.nowMs() - post.sentMs < creationPatienceMs,
  )
  if (!rival) return
  const apartMs = Math.abs(clock.aheadMs - rival.senderAheadMs)
  if (apartMs > clockBoundMs) findings.count('created twice by clocks apart')
  else if (rival.senderPausedMs() + clock.pauses.sinceMs(rival.sentMs - turnMs) > 0)
    findings.count('created twice after a pause')
  else findings.violate('created without cause', `checkout ${checkoutId} has a request under way`)
}

/** Checks that a server keeps to its budget in every second, wherever that second begins. */
export function withinBudget(service: typeof fetch, { plan, time, findings }: World, name: string): typeof fetch {
  const sent: number[] = []
  return (input, init) => {
    sent.push(time.nowMs())
    while ((sent[0] ?? 0) <= time.nowMs() - 1_000) sent.shift()
    if (sent.length > plan.strain.requestsPerSecond)
      findings.violate('over budget', `${name} sent ${sent.length} requests in a second`)
    return service(input, init)
  }
}

/** Checks that each creation belongs to a stored attempt, and that no attempt was sent twice. */
export function checkCreations({ findings, oracle, audit }: World): void {
  const sent = new Map<string, number>()
  for (const { intent, orders } of oracle.posts) {
    findings.count('orders created', orders)
    if (!intent) {
      findings.violate('created without cause', 'a creation was sent that no intent was stored for')
      continue
    }
    const count = (sent.get(intent.attemptId) ?? 0) + 1
    sent.set(intent.attemptId, count)
    if (count === 2) findings.violate('created without cause', `a request of ${intent.checkoutId} was sent twice`)
  }
  for (const order of oracle.all())
    if (order.post && !audit.checkoutAt(order.address, order.tag)) findings.count('orders whose answer was lost')
}

/** Most creations in an hour: twice the limits, because a clock that is set may end an hour. */
const mostForCheckout = 2 * 6
const mostForCart = 2 * 20

/** Checks that the service gets no more creations than allowed, however often browsers ask. */
export function checkAsked({ plan, findings, oracle, audit }: World): void {
  // To a server whose clock is set forward by a day, the hour is over.
  if (plan.clocksSet === 'servers') return
  const times = new Map<string, number[]>()
  for (const { intent, sentMs } of oracle.posts) {
    if (!intent) continue
    // The cart of a checkout that a restore has lost is unknown.
    const reference = audit.checkouts.get(intent.checkoutId)?.reference
    const names = [`checkout ${intent.checkoutId}`, ...(reference === undefined ? [] : [`cart ${reference}`])]
    for (const name of names) times.set(name, [...(times.get(name) ?? []), sentMs])
  }
  for (const [name, all] of times) {
    const most = Math.max(...all.map((at) => all.filter((other) => other >= at && other < at + 3_600_000).length))
    const bound = name.startsWith('cart ') ? mostForCart : mostForCheckout
    if (most > bound) findings.violate('asked too often', `${most} creations in an hour for ${name}`)
  }
}
