/** A store that is kept while the servers go to another account of the service, as from the test account to the real one. */
import { watchOnce } from '../checks/settling.ts'
import type { SegmentPlan } from '../plan.ts'
import type { Servers } from '../world/servers.ts'
import type { World } from '../world/types.ts'

/** Where the other account is. */
export const otherAccountUrl = 'https://other.sandbox.invalid'
const kind = 'store: kept for another account'
/** Carts of the other account: they have the references, and their orders the ids, of the first ones of the account before. */
const mostCarts = 20

/**
 * Plays a shop of the other account, and then lets a server of the first one look once more. Checks that neither is told of what the other has.
 *
 * @param play - Plays a segment on the other account to its end.
 */
export async function changeAccount(
  first: World,
  servers: Servers,
  play: (plan: SegmentPlan) => Promise<World>,
): Promise<void> {
  const { plan, findings } = first
  if (plan.without.includes(kind)) return
  findings.fault(kind)
  const { requestsPerSecond } = plan.strain
  const strain = { refusals: [], unpaid: 0, forger: false, requestsPerSecond }
  const other = await play({ ...plan, carts: Math.min(plan.carts, mostCarts), restores: false, strain })
  await watchOnce(first, servers)
  for (const [told, others] of [
    [first, other],
    [other, first],
  ] as const)
    for (const id of others.audit.checkouts.keys())
      if (told.ledger.eventsOf(id).length > 0)
        findings.violate('told of another account', `checkout ${id} of ${others.access.baseUrl}`)
}
