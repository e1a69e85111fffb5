/** Steps of a scenario: what the payer and the service do to an order. Each prints a line. */
import { formatAtomic, toAtomic } from '../contract/decimal.ts'
import type { PayerDeposit } from '../sandbox/payer.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { ControlledOrder, OrderControl, SandboxControls } from './sandbox-controls.ts'
import { plainLine } from './text.ts'

/** Steps resolve with the changed order, and throw CommandFailure when the sandbox refuses. */
export interface Steps {
  /** Sends an amount of the order's asset to its address, with the changes in `change`. */
  send(order: ControlledOrder, amount: string, change?: Partial<PayerDeposit>): Promise<ControlledOrder>
  /** Sends the whole amount without the tag: the service cannot find its order. */
  sendWithoutTag(order: ControlledOrder): Promise<void>
  act(order: ControlledOrder, control: OrderControl): Promise<ControlledOrder>
  /** Moves the sandbox's clock past the end of the quote. */
  endQuote(order: ControlledOrder): Promise<void>
}

/** @param say - Prints a line. */
export function createSteps(sandbox: SandboxControls, say: (line: string) => void): Steps {
  const told = (what: string, order: ControlledOrder) => {
    say(`${what}: the order is ${order.status}${order.message === '' ? '' : `, “${plainLine(order.message)}”`}.`)
    return order
  }
  const done = { confirm: 'confirmed it', cancel: 'canceled it', refund: 'sent it back', 'accept-late': 'accepted it' }
  return {
    send: async (order, amount, change = {}) => {
      const deposit = { ...placeOf(order), amount, ...change }
      const what = `${deposit.amount} ${deposit.asset ?? order.asset}${change.network ? ` on ${change.network}` : ''}`
      return told(`The payer sent ${what}`, await sandbox.deposit(deposit))
    },
    sendWithoutTag: async (order) => {
      if (order.tag === null)
        throw new CommandFailure(
          exitCodes.failed,
          'The order has no tag that could be left out: open a checkout with a coin that needs one, such as XRP.',
        )
      const { tag, ...deposit } = placeOf(order)
      const reason = await sandbox.deposit({ ...deposit, amount: order.amount }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof CommandFailure && error.message.includes('missing_tag')) return error.message
          throw error
        },
      )
      if (reason === undefined)
        throw new CommandFailure(exitCodes.failed, `The deposit was taken, although its tag ${tag} was left out.`)
      say(`The payer sent ${order.amount} ${order.asset} without the tag. ${reason}`)
    },
    act: async (order, control) => told(`The service ${done[control]}`, await sandbox.act(order.id, control)),
    endQuote: async (order) => {
      const leftMs = order.validUntilMs - (await sandbox.advance(0))
      if (leftMs < 0) return
      await sandbox.advance(leftMs + 1_000)
      const minutes = Math.ceil(leftMs / 60_000)
      say(`The sandbox's clock was moved on by ${minutes} min, for all of its orders: the quote has ended.`)
    },
  }
}

/** Half of the order's amount, rounded down. */
export function halfOf({ amount, decimals }: ControlledOrder): string {
  return formatAtomic(toAtomic(amount, decimals) / 2n, decimals)
}

/** One and a half times the order's amount. */
export function moreThan(order: ControlledOrder): string {
  const { amount, decimals } = order
  return formatAtomic(toAtomic(amount, decimals) + toAtomic(halfOf(order), decimals), decimals)
}

/** The part of the order's amount that has not arrived. */
export function missingOf({ amount, received, decimals }: ControlledOrder): string {
  return formatAtomic(toAtomic(amount, decimals) - toAtomic(received, decimals), decimals)
}

function placeOf({ id, address, tag }: ControlledOrder) {
  if (address === null) throw new CommandFailure(exitCodes.failed, `Order ${plainLine(id)} takes no deposits.`)
  return { address, ...(tag !== null && { tag }) }
}
