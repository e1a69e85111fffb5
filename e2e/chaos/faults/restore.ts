/** A lost database: when most payers have left, all servers go down and are started again on an earlier copy of the store, or on a replica that was behind. */
import type { Operator } from '../actors/operator.ts'
import { whilePagesStayOpen } from '../actors/stayers.ts'
import type { Answers } from '../checks/answers.ts'
import type { Link } from '../world/network.ts'
import { createRandomStream } from '../world/random.ts'
import type { Servers } from '../world/servers.ts'
import type { World } from '../world/types.ts'

/** Takes the copy at a random time while payers come or shortly after. */
export async function takeBackup({ plan, time, backups, findings }: World): Promise<void> {
  if (!plan.restores || plan.failsOver) return
  const random = createRandomStream(plan.seed, 'backup')
  await time.sleep(random.between(plan.spanMs / 4, plan.spanMs * 1.5))
  findings.trace('backup')
  backups.take()
}

/** Restores the copy. Only browsers and the merchant still know what they were shown and what was delivered to them since. */
export async function restoreBackup(
  world: World,
  servers: Servers,
  { link, answers, operator }: { readonly link: Link; readonly answers: Answers; readonly operator: Operator },
): Promise<void> {
  if (!world.plan.restores) return
  if (world.plan.failsOver) world.backups.take()
  await whilePagesStayOpen(world, { link, operator }, () => servers.killAll(() => restore(world, answers)))
}

async function restore(
  { findings, backups, audit, ledger, unreadable, faults }: World,
  answers: Answers,
): Promise<void> {
  const records = await backups.restore()
  if (!records || !faults.strikes('store: restored from a backup')) return
  audit.restored(records.map((record) => ({ ...record, value: unreadable.textOf(record) })))
  ledger.restored((checkoutId) => audit.checkouts.get(checkoutId))
  const lost = answers.restored(({ id, address }) => audit.checkouts.get(id)?.instructions?.address === address)
  findings.count('checkouts that a restore forgot', lost)
}
