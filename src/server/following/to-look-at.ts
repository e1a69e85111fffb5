/** Finds out which due checkouts have a certain order that is to be looked at, and is done with the others. */
import type { LookQueue } from '../records/looks.ts'
import type { CheckoutRecord } from '../records/types.ts'
import type { Tracker } from './tracker.ts'

/** `not asked`: there was no time or no budget, or another server asks, and the checkout stays due. */
export type Outcome = 'seen' | 'try soon' | 'not asked'

/** How work for many checkouts is done, so that one failure does not stop it. */
export interface Care {
  carefully(work: () => Promise<void>): Promise<void>
  /** Does the work for groups of checkouts; if it fails for a group, for each checkout alone. */
  inGroups(
    checkouts: readonly CheckoutRecord[],
    work: (group: readonly CheckoutRecord[]) => Promise<void>,
  ): Promise<void>
}

interface Parts extends Care {
  readonly tracker: Pick<Tracker, 'isFollowed'>
  /** Finds or checks the order of a checkout. */
  identify(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<CheckoutRecord | Outcome>
  settle(checkouts: readonly CheckoutRecord[], outcome: Outcome): Promise<void>
}

/** The checkouts whose order is certain and that no browser polls. The others are settled. */
type ToLookAt = (
  queue: LookQueue,
  due: readonly CheckoutRecord[],
  isTimeUp: () => boolean,
) => Promise<readonly CheckoutRecord[]>

/** Searches the orders of a group at the same time, because such searches share what they read. */
export function createToLookAt({ carefully, inGroups, tracker, identify, settle }: Parts): ToLookAt {
  return async (queue, due, isTimeUp) => {
    const certain = due.filter(isCertain)
    const bound = certain.filter((checkout) => !tracker.isFollowed(checkout))
    await inGroups(certain.filter(tracker.isFollowed), (group) => settle(group, 'try soon'))
    await inGroups(
      due.filter((each) => !isCertain(each)),
      async (group) => {
        const left: { readonly checkout: CheckoutRecord; readonly outcome: Outcome }[] = []
        const sort = async (checkout: CheckoutRecord) => {
          const known = await identify(queue, checkout, isTimeUp)
          if (typeof known === 'string') left.push({ checkout, outcome: known })
          else if (known.binding && !tracker.isFollowed(known)) bound.push(known)
          else left.push({ checkout: known, outcome: known.binding ? 'try soon' : 'seen' })
        }
        await Promise.all(group.map((checkout) => carefully(() => sort(checkout))))
        for (const outcome of ['seen', 'try soon'] as const) {
          const settled = left.filter((each) => each.outcome === outcome).map(({ checkout }) => checkout)
          await inGroups(settled, (each) => settle(each, outcome))
        }
      },
    )
    return bound
  }
}

/** Whether it is settled which order a checkout has. */
export function isCertain({ binding }: CheckoutRecord): boolean {
  return binding !== null && !binding.isProvisional
}
