/** `paywindow retell`: makes the shop's processes call `onStatusChange` again. */
import { PaywindowError } from '../contract/errors.ts'
import { everyCheckout } from '../serve/search.ts'
import type { PaywindowServer } from '../server/paywindow.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type StoreOptions, withServer } from './store.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow retell`. */
export interface RetellOptions extends StoreOptions {
  /** Milliseconds since the epoch. */
  readonly since?: number
}

const who = 'A process that has onStatusChange delivers it, with the same eventId.'

/** Retells one checkout, or all checkouts whose last change came since a time. */
export async function retell(
  id: string | undefined,
  { since, ...options }: RetellOptions,
  world: World,
): Promise<void> {
  if ((id === undefined) === (since === undefined))
    throw new CommandFailure(exitCodes.usage, 'Name one checkout, or a time with --since.')
  await withServer(options, world, async (paywindow) => {
    if (id !== undefined) {
      const { status } = await paywindow.retell(id)
      world.stdout(`Checkout ${plainLine(id)}, which is ${status}, is to be delivered again. ${who}\n`)
    } else await retellSince(paywindow, since ?? 0, world)
  })
}

async function retellSince(paywindow: PaywindowServer, since: number, world: World): Promise<void> {
  let count = 0
  // An old checkout may have changed lately, so all are read.
  for await (const { id, status, changedAt } of everyCheckout(paywindow.checkouts)) {
    if (changedAt === null || !(Date.parse(changedAt) >= since)) continue
    try {
      await paywindow.retell(id)
      count += 1
      world.stdout(`${plainLine(id)} ${status}\n`)
    } catch (error) {
      if (!(error instanceof PaywindowError)) throw error
      world.stderr(`paywindow: ${plainLine(error.message)}\n`)
    }
  }
  world.stdout(`${count} ${count === 1 ? 'checkout is' : 'checkouts are'} to be delivered again. ${who}\n`)
}
