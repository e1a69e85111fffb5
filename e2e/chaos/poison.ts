/** Records that no server of this segment can read: of a newer version, damaged, cut off. They have to stay as they are. */
import type { NewRecord } from '../../src/server/store/store.ts'
import type { Backups } from './backups.ts'
import { createDice, type Dice } from './dice.ts'
import type { Faults } from './faults.ts'
import type { Findings } from './findings.ts'
import type { SegmentPlan } from './plan.ts'

export interface Poison {
  /** Makes a record unreadable. */
  spoil(checkoutId: string): Promise<void>
  /** Puts everything right again, as a newer version does that can read it. */
  heal(): Promise<void>
  /** Whether a record of the store, or one of the same cart, cannot be read. */
  isSpoiled(checkoutId: string): boolean
  /** The text of a record before it was spoilt. */
  textOf(record: NewRecord): string
}

export function createPoison(plan: SegmentPlan, backups: Backups, findings: Findings): Poison {
  const dice = createDice(plan.seed, 'poison')
  const spoilt = new Map<string, { readonly before: NewRecord; readonly text: string }>()
  const referenceOf = ({ value }: NewRecord) => /"reference":"([^"]*)"/.exec(value)?.[1]

  async function write(record: NewRecord): Promise<void> {
    const stored = await backups.store.read(record.key)
    if (stored) await backups.store.replace(record, stored.version)
  }

  return {
    spoil: async (checkoutId) => {
      const before = backups.record(`checkout ${checkoutId}`)
      if (!before || spoilt.has(before.key)) return
      const text = unreadable(before.value, dice)
      spoilt.set(before.key, { before, text })
      findings.trace('spoilt', before.key)
      await write({ ...before, value: text })
    },
    heal: async () => {
      for (const [key, { before, text }] of spoilt) {
        const now = backups.record(key)?.value
        // A backup may be from before it was spoilt.
        if (now !== text && now !== before.value && !isSame(now, before.value))
          findings.violate('lost', `the record ${key} could not be read and was written over`)
        if (now === text) await write(before)
      }
      spoilt.clear()
    },
    isSpoiled: (checkoutId) => {
      const reference = referenceOf(backups.record(`checkout ${checkoutId}`) ?? noRecord)
      return [...spoilt.values()].some(
        ({ before, text }) => backups.record(before.key)?.value === text && referenceOf(before) === reference,
      )
    },
    textOf: ({ key, value }) => {
      const known = spoilt.get(key)
      return known?.text === value ? known.before.value : value
    },
  }
}

const noRecord: NewRecord = { key: '', value: '', due: [], labels: [] }

/** After a restore, a record that was spoilt later than the backup goes on changing: it only has to be a whole one. */
function isSame(text: string | undefined, before: string): boolean {
  return text === undefined || text.slice(0, 60) === before.slice(0, 60)
}

function unreadable(text: string, dice: Dice): string {
  return dice.pick([
    () => text.replace('"v":1', '"v":2'),
    () => text.replace('"attempts":', '"newAttempts":'),
    () => text.replace('"createdAtMs":', '"createdAtMs":"soon","was":'),
    () => text.slice(0, text.length / 2),
  ])()
}

/** Spoils a record now and then. */
export async function runPoison(
  of: {
    readonly plan: SegmentPlan
    readonly time: { sleep(ms: number): Promise<void> }
    readonly faults: Faults
    readonly poison: Poison
    readonly books: { readonly checkouts: ReadonlyMap<string, unknown> }
  },
  until: () => boolean,
): Promise<void> {
  const dice = createDice(of.plan.seed, 'poisoner')
  while (!until() && !of.faults.stopped) {
    await of.time.sleep(dice.between(60, 600) * 1_000)
    const ids = [...of.books.checkouts.keys()]
    if (ids.length === 0 || until() || !of.faults.strikes('store: record that cannot be read')) continue
    await of.poison.spoil(dice.pick(ids))
  }
}
