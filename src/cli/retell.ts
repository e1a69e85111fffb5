/** `paywindow retell`: has the shop's own processes call `onStatusChange` again. */
import { PaywindowError } from '../contract/errors.ts'
import type { PaywindowServer } from '../server/paywindow.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { StoreOptions } from './on-store.ts'
import { withShop } from './shop.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow retell`, as the command line gives them. */
export interface RetellOptions extends StoreOptions {
  /** Milliseconds since the epoch. */
  readonly since?: number
}

const pageSize = 1_000
const who = 'A process that has onStatusChange delivers it, with the same eventId.'

/** Retells one checkout, or all whose last change came since a time. */
export async function retell(
  id: string | undefined,
  { since, ...options }: RetellOptions,
  world: World,
): Promise<void> {
  if ((id === undefined) === (since === undefined))
    throw new CommandFailure(exitCodes.usage, 'Name one checkout, or a time with --since.')
  await withShop(options, world, async (paywindow) => {
    if (id !== undefined) {
      const { status } = await paywindow.retell(id)
      world.stdout(`Checkout ${plainLine(id)}, which is ${status}, is to be delivered again. ${who}\n`)
    } else await retellSince(paywindow, since ?? 0, world)
  })
}

async function retellSince(paywindow: PaywindowServer, since: number, world: World): Promise<void> {
  let count = 0
  for await (const { id, status } of changedSince(paywindow, since)) {
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

/** An old checkout can have changed lately, so all of them are looked at. */
async function* changedSince({ checkouts }: PaywindowServer, since: number): AsyncGenerator<MerchantCheckout> {
  for (let before: string | undefined; ; ) {
    const page = await checkouts.list({ limit: pageSize, ...(before !== undefined && { before }) })
    yield* page.filter(({ history }) => history.length > 1 && Date.parse(history.at(-1)?.at ?? '') >= since)
    before = page.at(-1)?.id
    if (page.length < pageSize) return
  }
}
