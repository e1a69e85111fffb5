/** `paywindow trigger <scenario>`: lets something happen in a running sandbox, and says what comes of it. */
import { creationScenarios } from './creation-scenarios.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { chooseOrder, type OrderChoice } from './order-choice.ts'
import { payerScenarios } from './payer-scenarios.ts'
import { connectSandbox, type SandboxControls } from './sandbox-controls.ts'
import type { CreationScenario, NamedScenario, OrderScenario } from './scenario.ts'
import { createSteps } from './scenario-steps.ts'
import { serviceScenarios, webhookScenarios } from './service-scenarios.ts'
import { columns, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow trigger`, as the command line gives them. */
export interface TriggerOptions extends OrderChoice {
  /** Base address of the sandbox. */
  readonly sandbox: string
  readonly list?: boolean
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
  // A path may hold the secret.
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
