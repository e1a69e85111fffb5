/** `paywindow trigger <scenario>`: plays a scenario in a sandbox, and prints its effects. */
import { CommandFailure, exitCodes } from './failure.ts'
import { type ControlledOrder, connectSandbox, type SandboxControls } from './sandbox-controls.ts'
import { createSteps } from './scenario-steps.ts'
import {
  type CreationScenario,
  creationScenarios,
  type NamedScenario,
  type OrderScenario,
  payerScenarios,
  type Stage,
  type StagedOrder,
  serviceScenarios,
  stages,
  webhookScenarios,
} from './scenarios.ts'
import { type StoreOptions, withServer } from './store.ts'
import { columns, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow trigger`. */
export interface TriggerOptions extends StoreOptions {
  /** Base address of the sandbox. */
  readonly sandbox: string
  readonly list?: boolean
  /** Default: the newest order that the scenario can happen to. */
  readonly order?: string
  /** Only orders of this cart, by the shop's store. */
  readonly reference?: string
}

/** All scenarios that happen to an order, by name. */
export const orderScenarios: Readonly<Record<string, OrderScenario>> = {
  ...payerScenarios,
  ...serviceScenarios,
  ...webhookScenarios,
}

/** Runs one scenario, or lists all. @throws CommandFailure when it cannot happen. */
export async function trigger(name: string | undefined, options: TriggerOptions, world: World): Promise<void> {
  if (options.list) return world.stdout(listOfScenarios())
  const [scenario, creation] = [namedIn(orderScenarios, name), namedIn(creationScenarios, name)]
  if (!scenario && !creation) {
    const what = name === undefined ? 'Name a scenario' : `There is no scenario ${plainLine(name, 40)}`
    throw new CommandFailure(exitCodes.usage, `${what}: “npx paywindow trigger --list” shows all.`)
  }
  const sandbox = connectSandbox(options.sandbox, world.fetch)
  if (creation) await triggerCreation(creation, sandbox, world)
  if (scenario && name) await triggerOrder({ ...scenario, name }, sandbox, options, world)
}

function namedIn<Scenario>(scenarios: Readonly<Record<string, Scenario>>, name = ''): Scenario | undefined {
  return Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
}

function listOfScenarios(): string {
  const listed = (scenarios: Readonly<Record<string, OrderScenario>>) =>
    Object.entries(scenarios).map(([name, { does, ends }]) => [name, does, ends])
  return columns([
    ['SCENARIO', 'THE PAYER', 'ENDS AS'],
    ...listed(payerScenarios),
    [],
    ['SCENARIO', 'THE SERVICE', 'ENDS AS'],
    ...listed(serviceScenarios),
    ...Object.entries(creationScenarios).map(([name, { does }]) => [name, does, '']),
    [],
    ['SCENARIO', 'THE ORDER', 'ENDS AS'],
    ...listed(webhookScenarios),
  ])
}

async function triggerCreation({ fault, does, ...words }: CreationScenario, sandbox: SandboxControls, world: World) {
  await sandbox.failNextCreation(fault)
  world.stdout(`The service ${does}. Open a checkout in your shop now.\n\n`)
  world.stdout(outcome(words, undefined))
}

async function triggerOrder(
  scenario: NamedScenario,
  sandbox: SandboxControls,
  options: TriggerOptions,
  world: World,
): Promise<void> {
  const { order, other } = await chooseOrder(scenario, sandbox, options, world)
  for (const each of other ? [other, order] : [order]) {
    const place = `${each.address}${each.tag === null ? '' : `, tag ${each.tag}`}`
    world.stdout(`Order ${plainLine(each.id)}: ${each.amount} ${plainLine(each.asset)} to ${plainLine(place)}\n`)
  }
  if (scenario.webhook) await sandbox.failNextWebhook(scenario.webhook)
  const say = (line: string) => world.stdout(`${line}\n`)
  await scenario.play(order, createSteps(sandbox, say), other)
  world.stdout(`\n${outcome(scenario, await webhooksOf(scenario, sandbox))}`)
}

async function webhooksOf({ ends }: OrderScenario, sandbox: SandboxControls): Promise<string> {
  if (ends === 'open' || ends === 'pending') return 'none for this. Your server sees it when it looks next.'
  // The path may have the secret.
  const origins = (await sandbox.receivers()).map((url) => plainLine(new URL(url).origin))
  if (origins.length > 0) return `sent to ${origins.join(', ')}.`
  return 'nobody gets any: see “npx paywindow listen --help”. Your server sees it when it looks next.'
}

function outcome({ merchant, payer }: Pick<OrderScenario, 'merchant' | 'payer'>, webhooks: string | undefined): string {
  return columns([
    ['Your server:', merchant],
    ['The payer:', payer],
    ...(webhooks === undefined ? [] : [['Webhooks:', webhooks]]),
  ])
}

/** @throws CommandFailure when there is no such order. */
async function chooseOrder(
  scenario: NamedScenario,
  sandbox: SandboxControls,
  options: TriggerOptions,
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

/** Compares deposit addresses: a checkout knows the id of its order only later. */
async function ordersOfCart(
  orders: readonly StagedOrder[],
  reference: string,
  options: TriggerOptions,
  world: World,
): Promise<readonly StagedOrder[]> {
  const found: StagedOrder[] = []
  await withServer(options, world, async ({ checkouts }) => {
    const places = (await checkouts.list({ reference })).map(({ deposit }) => deposit)
    found.push(...orders.filter(({ address, tag }) => places.some((at) => at?.address === address && at.tag === tag)))
  })
  if (found.length > 0) return found
  throw new CommandFailure(
    exitCodes.failed,
    `No order of the sandbox is for the cart ${plainLine(reference)}: open its checkout first, or name an order with --order.`,
  )
}
