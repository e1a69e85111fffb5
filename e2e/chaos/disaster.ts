/** The night after: the disk is lost, all servers are down, and they are started again on a copy of the store from before. */
import type { Answers } from './answers.ts'
import { createDice } from './dice.ts'
import type { Fleet } from './fleet.ts'
import type { World } from './world.ts'

/** Takes the copy at some moment while payers come. */
export async function takeBackup({ plan, time, backups, findings }: World): Promise<void> {
  if (!plan.restores) return
  const dice = createDice(plan.seed, 'backup')
  await time.sleep(dice.between(plan.spanMs / 4, plan.spanMs * 1.5))
  findings.trace('backup')
  backups.take()
}

/** Puts the copy back. What was told to browsers and to the merchant since is known to nobody but to them. */
export async function restoreBackup(world: World, fleet: Fleet, answers: Answers): Promise<void> {
  const { plan, findings, backups, books, ledger, poison, faults } = world
  if (!plan.restores) return
  await fleet.killAll(async () => {
    const records = await backups.restore()
    if (!records || !faults.strikes('store: restored from a backup')) return
    books.restored(records.map((record) => ({ ...record, value: poison.textOf(record) })))
    ledger.restored((checkoutId) => books.checkouts.get(checkoutId))
    const lost = answers.restored(({ id, address }) => books.checkouts.get(id)?.instructions?.address === address)
    findings.count('checkouts that a restore forgot', lost)
  })
}
