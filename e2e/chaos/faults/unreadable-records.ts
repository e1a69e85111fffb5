/** Records that no server can read: of a newer version, damaged or cut off. They must stay. */
import type { NewRecord } from '../../../src/server/store/store.ts'
import type { Findings } from '../world/findings.ts'
import type { SegmentPlan } from '../world/plan.ts'
import { createRandomStream, type RandomStream } from '../world/random.ts'
import type { Backups } from '../world/stores.ts'
import type { UnreadableRecords, World } from '../world/types.ts'

/** Creates it with no unreadable records. */
export function createUnreadableRecords(plan: SegmentPlan, backups: Backups, findings: Findings): UnreadableRecords {
  const random = createRandomStream(plan.seed, 'poison')
  const damaged = new Map<string, { readonly before: NewRecord; readonly text: string }>()
  const referenceOf = ({ value }: NewRecord) => /"reference":"([^"]*)"/.exec(value)?.[1]

  async function write(record: NewRecord): Promise<void> {
    const stored = await backups.store.read(record.key)
    if (stored) await backups.store.replace(record, stored.version)
  }

  return {
    damage: async (checkoutId) => {
      const before = backups.record(`checkout ${checkoutId}`)
      if (!before || damaged.has(before.key)) return
      const text = madeUnreadable(before.value, random)
      damaged.set(before.key, { before, text })
      findings.trace('spoilt', before.key)
      await write({ ...before, value: text })
    },
    repair: async () => {
      for (const [key, { before, text }] of damaged) {
        const now = backups.record(key)?.value
        // A restored copy may be older than the damage.
        if (now !== text && now !== before.value && !isSame(now, before.value))
          findings.violate('lost', `the record ${key} could not be read and was written over`)
        if (now === text) await write(before)
      }
      damaged.clear()
    },
    isDamaged: (checkoutId) => {
      const reference = referenceOf(backups.record(`checkout ${checkoutId}`) ?? noRecord)
      return [...damaged.values()].some(
        ({ before, text }) => backups.record(before.key)?.value === text && referenceOf(before) === reference,
      )
    },
    textOf: ({ key, value }) => {
      const known = damaged.get(key)
      return known?.text === value ? known.before.value : value
    },
  }
}

const noRecord: NewRecord = { key: '', value: '', due: [], labels: [] }

/** Whether a record is intact. Servers may have changed a restored copy from before the damage. */
function isSame(text: string | undefined, before: string): boolean {
  return text === undefined || text.slice(0, 60) === before.slice(0, 60)
}

function madeUnreadable(text: string, random: RandomStream): string {
  return random.pick([
    () => text.replace('"v":1', '"v":2'),
    () => text.replace('"attempts":', '"newAttempts":'),
    () => text.replace('"createdAtMs":', '"createdAtMs":"soon","was":'),
    () => text.slice(0, text.length / 2),
  ])()
}

/** Damages a checkout's record now and then. */
export async function runPoison({ plan, time, faults, unreadable, audit }: World, until: () => boolean): Promise<void> {
  const random = createRandomStream(plan.seed, 'poisoner')
  while (!until() && !faults.stopped) {
    await time.sleep(random.between(60, 600) * 1_000)
    const ids = [...audit.checkouts.keys()]
    if (ids.length === 0 || until() || !faults.strikes('store: record that cannot be read')) continue
    await unreadable.damage(random.pick(ids))
  }
}
