/** Which order of the sandbox a scenario happens to. */
import { CommandFailure, exitCodes } from './failure.ts'
import type { StoreOptions } from './on-store.ts'
import type { ControlledOrder, SandboxControls } from './sandbox-controls.ts'
import { type NamedScenario, type Stage, type StagedOrder, stages } from './scenario.ts'
import { withShop } from './shop.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options that name an order. Without them it is the newest one that the scenario can happen to. */
export interface OrderChoice extends StoreOptions {
  readonly order?: string
  /** Only orders of this cart, by the shop's own store. */
  readonly reference?: string
}

/** @throws CommandFailure where there is no such order. */
export async function chooseOrder(
  scenario: NamedScenario,
  sandbox: SandboxControls,
  options: OrderChoice,
  world: World,
): Promise<{ readonly order: StagedOrder; readonly other?: StagedOrder }> {
  const nowMs = await sandbox.advance(0)
  const all = (await sandbox.orders()).toReversed().map((order) => ({ ...order, stage: stageOf(order, nowMs) }))
  const { reference } = options
  const possible = reference === undefined ? all : await ordersOfCart(all, reference, options, world)
  const order = options.order === undefined ? newest(possible, scenario) : named(possible, options.order, scenario)
  const { besides } = scenario
  if (besides === undefined) return { order }
  const other = possible.find(
    ({ id, address, stage }) => id !== order.id && address !== null && besides.includes(stage),
  )
  if (other) return { order, other }
  throw new CommandFailure(
    exitCodes.failed,
    `“${scenario.name}” needs a second order of the cart: choose another coin or a new price in the widget, then try again.`,
  )
}

function stageOf({ workflow, validUntilMs }: ControlledOrder, nowMs: number): Stage {
  if (workflow === 'awaiting') return nowMs < validUntilMs ? 'waiting' : 'expired'
  const stage = stages.find((word) => word === workflow)
  if (stage !== undefined) return stage
  throw new CommandFailure(exitCodes.failed, `The sandbox has an order that is ${plainLine(workflow)}: it is newer.`)
}

function newest(orders: readonly StagedOrder[], { name, on }: NamedScenario): StagedOrder {
  const found = orders.find(({ address, stage }) => address !== null && on.includes(stage))
  if (found) return found
  const what = orders.length === 0 ? 'has no order' : `has no order for “${name}”: none is ${on.join(' or ')}`
  throw new CommandFailure(exitCodes.failed, `The sandbox ${what}. Open a checkout in your shop first.`)
}

function named(orders: readonly StagedOrder[], id: string, { name, on }: NamedScenario): StagedOrder {
  const found = orders.find((order) => order.id === id)
  if (found === undefined) throw new CommandFailure(exitCodes.failed, `The sandbox has no order ${plainLine(id)}.`)
  if (on.includes(found.stage)) return found
  const what = `Order ${plainLine(id)} is ${found.stage}`
  throw new CommandFailure(exitCodes.failed, `${what}, and “${name}” needs one that is ${on.join(' or ')}.`)
}

/** A checkout knows its order by id only after a while, but from the start where its deposit goes to. */
async function ordersOfCart(
  orders: readonly StagedOrder[],
  reference: string,
  options: OrderChoice,
  world: World,
): Promise<readonly StagedOrder[]> {
  const found: StagedOrder[] = []
  await withShop(options, world, async ({ checkouts }) => {
    const places = (await checkouts.list({ reference })).map(({ deposit }) => deposit)
    found.push(...orders.filter(({ address, tag }) => places.some((at) => at?.address === address && at.tag === tag)))
  })
  if (found.length > 0) return found
  throw new CommandFailure(
    exitCodes.failed,
    `No order of the sandbox is for the cart ${plainLine(reference)}: open its checkout first, or name an order with --order.`,
  )
}
