/**
 * Who tells the merchant. `onStatusChange: null` says that no process of the shop has a callback, and lets changes count as delivered. Where one has,
 * that would swallow payments: so each process with a callback leaves word in the store, and one with `null` leaves its changes to it.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { atMostEvery } from '../time/at-most-every.ts'
import type { Notifier } from './notifier.ts'

const lease = 'onStatusChange'
/** As long as a change is told. */
const keptMs = 7 * 24 * 3_600_000
const sayEveryMs = 3_600_000
/** For so long a process goes by the word that it has found. */
const believedMs = 60_000

type Needs = Pick<Context, 'repository' | 'settings' | 'now' | 'inBackground'>

/** A notifier that knows who tells. */
interface Duty extends Notifier {
  /** Leaves word that this process has a callback, if it has, before there is anything to tell. */
  say(): void
}

/** The notifier of a process that has a callback. */
export function onDuty({ repository, now, inBackground }: Needs, { deliver }: Notifier): Duty {
  const say = atMostEvery(sayEveryMs, now, () => {
    inBackground(repository.store.lease(lease, 'has one', keptMs))
  })
  return {
    say,
    deliver: (checkoutId) => {
      say()
      return deliver(checkoutId)
    },
  }
}

/** The notifier of a process with `null`. */
export function offDuty({ repository, settings, now }: Needs, { deliver }: Notifier): Duty {
  let foundAtMs = Number.NEGATIVE_INFINITY
  const report = atMostEvery(sayEveryMs, now, () =>
    settings.report(
      new PaywindowError(
        'invalid_options',
        'onStatusChange is null in this process, and another process of this store has one. Leave it out here: null is for shops in which no process has one. That process tells what this one finds',
      ),
      {},
    ),
  )
  return {
    say: () => {},
    deliver: async (checkoutId) => {
      if (now() - foundAtMs >= believedMs) {
        if (await repository.store.lease(lease, 'has none', 1)) return deliver(checkoutId)
        foundAtMs = now()
        report()
      }
      return false
    },
  }
}
