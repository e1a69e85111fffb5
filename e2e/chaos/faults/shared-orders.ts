/** A gateway before the service that takes two equal requests for one: within seconds it answers the second as it answered the first. */
import { asRecord } from '../../../src/contract/parse.ts'
import type { World } from '../world/types.ts'

const forgetsAfterMs = 20_000

interface Answered {
  readonly text: string
  readonly atMs: number
  readonly address: string
  readonly tag: string | null
}

/**
 * Wraps the service's `fetch`. Only an order that another checkout has already is given away: of one that nobody has, nobody could say whose it
 * is.
 */
export function sharingOrders(
  service: typeof fetch,
  { plan, time, sandbox, audit, faults }: Pick<World, 'plan' | 'time' | 'sandbox' | 'audit' | 'faults'>,
): typeof fetch {
  const answered = new Map<string, Answered>()

  function ofAnother(body: string): Answered | undefined {
    const before = answered.get(body)
    if (!before || time.nowMs() - before.atMs > forgetsAfterMs) return undefined
    const owner = audit.checkoutAt(before.address, before.tag)
    return owner && owner.id !== audit.calls.getStore()?.intent?.checkoutId ? before : undefined
  }

  return async (input, init) => {
    if (init?.method !== 'POST') return service(input, init)
    const body = String(init.body)
    const before = ofAnother(body)
    if (before && faults.strikes('service: gives two requests one order')) {
      const date = new Date(sandbox.clock.now() + (plan.sandbox.dateAheadMs ?? 0)).toUTCString()
      return new Response(before.text, { headers: { 'content-type': 'application/json', date } })
    }
    const answer = await service(input, init)
    const text = await answer.text()
    const place = answer.ok ? placeIn(text) : undefined
    if (place) answered.set(body, { text, atMs: time.nowMs(), ...place })
    return new Response(text, answer)
  }
}

/** Undefined where the answer is none that a server could use. */
function placeIn(text: string): Pick<Answered, 'address' | 'tag'> | undefined {
  try {
    const { wallet_address: address, tag } = asRecord(JSON.parse(text), 'answer')
    return typeof address === 'string' ? { address, tag: tag === '' ? null : String(tag) } : undefined
  } catch {
    return undefined
  }
}
