/** Orders that the store has lost: what is paid for one has to be told with its id. */
import { straysKind } from '../../../src/server/records/store-records.ts'
import type { World } from '../world/types.ts'

/** Checks the orders that were made since the store looks for such. Older ones may be of a time before the store. */
export function checkStrays({ oracle, audit, backups, ledger, findings }: World): void {
  const record = backups.record(straysKind.keyOf(''))
  const sinceMs = (record && straysKind.parse(record).sinceMs) ?? 0
  const bound = new Set([...audit.checkouts.values()].map(({ binding }) => binding?.orderId))
  for (const { id, post, now } of oracle.all()) {
    const { status, createdAtMs } = now()
    const isPaid = status === 'pending' || status === 'confirmed'
    if (!post || !isPaid || bound.has(id) || createdAtMs < sinceMs) continue
    findings.count('paid orders that a restore forgot')
    if (!ledger.heardStray(id)) findings.violate('paid, known to nobody', `order ${id}, ${status}`)
  }
}
