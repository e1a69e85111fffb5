/**
 * What puts the servers and the service under strain: an hour in which the service refuses requests, unpaid checkouts of the last
 * months in the store, and a browser that posts again and again. Also checks how often a server may ask the service even so.
 */
import type { FaultHook } from '../../../src/sandbox/faults.ts'
import type { Fault } from '../../../src/sandbox/index.ts'
import { addressOf } from '../actors/clients.ts'
import type { Findings } from '../checks/findings.ts'
import type { Link } from '../world/network.ts'
import { createRandomStream, type RandomStream } from '../world/random.ts'
import type { VirtualTime } from '../world/time.ts'
import type { World } from '../world/types.ts'
import type { Faults } from './faults.ts'

/** A period in which the service refuses requests. 400 is for creations alone, because only those can be refused one by one. */
interface Refusal {
  readonly atMs: number
  readonly forMs: number
  readonly status: 400 | 401 | 403 | 429 | 503
  readonly retryAfter: string | null
}

/** What puts a segment under strain, besides faults. */
export interface Strain {
  readonly refusals: readonly Refusal[]
  /** Number of unpaid checkouts of the last months that no server has looked at for a while; some were paid meanwhile. */
  readonly unpaid: number
  /** Whether an attacker begins payments for one cart after another, each with a forged address. */
  readonly forger: boolean
  /** Each server's budget for requests to the service, per second. */
  readonly requestsPerSecond: number
}

/** What a service, or a gateway in front of it, may write in `Retry-After`. */
const hostileRetryAfters = ['86400', '999999999', '99999999999999999999', '-1', '1e309', 'NaN', '5, 86400', '']
const farDates = ['Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT']

/** Draws the strain of a segment. */
export function drawStrain(runSeed: number, segment: number, spanMs: number): Strain {
  const random = createRandomStream(runSeed, `strain of segment ${segment}`)
  const refusal: Refusal = {
    // Late enough that some payers already wait for their deposit to be seen.
    atMs: random.between(Math.round(spanMs / 3), spanMs),
    forMs: 3_600_000,
    status: random.pick([400, 401, 403, 429, 503] as const),
    retryAfter: random.pick([null, null, '30', ...hostileRetryAfters, ...farDates]),
  }
  return {
    refusals: random.chance(0.2) ? [refusal] : [],
    unpaid: random.chance(0.25) ? 150 : 0,
    requestsPerSecond: random.pick([20, 20, 5]),
    forger: random.chance(0.15),
  }
}

/** Wraps the fault hook `usual`: during a refusal, the service refuses the requests that the refusal applies to. */
export function throughRefusals(strain: Strain, time: VirtualTime, faults: Faults, usual: FaultHook): FaultHook {
  const startMs = time.nowMs()
  return (request) => {
    const sinceMs = time.nowMs() - startMs
    const refusal = strain.refusals.find(({ atMs, forMs }) => sinceMs >= atMs && sinceMs < atMs + forMs)
    const isMeant = refusal && (refusal.status !== 400 || request.method === 'POST')
    if (!isMeant || !faults.strikes('service: refuses for an hour')) return usual(request)
    const { status, retryAfter } = refusal
    return { kind: 'status', status, message: 'No', ...(retryAfter !== null && { retryAfter }) } satisfies Fault
  }
}

/** Creates a 429 whose `Retry-After` cannot be believed. */
export function hostileRefusal(random: RandomStream, message: string): Fault {
  return { kind: 'status', status: 429, retryAfter: random.pick([...hostileRetryAfters, ...farDates]), message }
}

/** Somebody who presses the button once a second for five minutes, while creations are refused. */
export async function runImpatient({ plan, carts, time, findings }: World, link: Link): Promise<void> {
  const refused = plan.strain.refusals.filter(({ status }) => status === 400)
  for (const { atMs } of refused) {
    await time.sleep(atMs + 60_000)
    const cart = [...carts.values()].at(0)
    const method = cart?.methods[0]
    if (!cart || !method) return
    const reference = `impatient-${plan.number}`
    carts.set(reference, { ...cart, reference, prices: [...cart.prices] })
    const address = addressOf(plan.seed, 'impatient')
    const browserFetch = link.connect({ reference, address, isOnline: () => true })
    const body = JSON.stringify({ reference, ...method })
    for (let post = 0; post < 300; post++) {
      findings.count('posts of somebody impatient')
      await browserFetch('/paywindow/checkouts', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => undefined)
      await time.sleep(1_000)
    }
  }
}

/**
 * Checks that one server keeps to its budget: no second has more requests than the budget allows, wherever the second begins.
 * Nothing is saved up during a pause.
 */
export function withinBudget(
  service: typeof fetch,
  of: { readonly strain: Strain; readonly time: VirtualTime; readonly findings: Findings; readonly name: string },
): typeof fetch {
  const { strain, time, findings, name } = of
  const sent: number[] = []
  return (input, init) => {
    sent.push(time.nowMs())
    while ((sent[0] ?? 0) <= time.nowMs() - 1_000) sent.shift()
    if (sent.length > strain.requestsPerSecond)
      findings.violate('over budget', `${name} sent ${sent.length} requests in a second`)
    return service(input, init)
  }
}

/** Most creations in an hour for one checkout and for one cart. Twice the limits, because a clock that is set may end an hour. */
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
