/**
 * The commands and their options. Exit codes: 0 for success, 1 when the service refused or failed
 * or a check found something wrong, 2 for wrong usage or environment.
 */
import { Command, CommanderError, Option } from 'commander'
import { version } from '../../package.json' with { type: 'json' }
import { orderStatuses } from '../contract/checkout.ts'
import { kinds } from '../serve/search.ts'
import { defaultSchema } from '../server/store/postgres-schema.ts'
import type { WalletRequest } from '../service/types.ts'
import { type CheckOptions, checkEndpoint } from './check-endpoint.ts'
import { bindCheckout, type CheckoutsOptions, printCheckout, printCheckouts } from './checkouts.ts'
import { type DoctorOptions, runDoctor } from './doctor.ts'
import { describeFailure, exitCodes } from './failure.ts'
import { forwardWebhooks, type ListenOptions } from './forward-webhooks.ts'
import { moment, pastTime, shopNamed, wholeNumber } from './option-values.ts'
import { type OrdersOptions, printOrder, printOrders } from './orders.ts'
import { printPassword } from './password.ts'
import { type ReconcileOptions, reconcile } from './reconcile.ts'
import { type RetellOptions, retell } from './retell.ts'
import { runSandbox, type SandboxCommandOptions } from './sandbox.ts'
import { defaultSandboxPort } from './sandbox-controls.ts'
import { type ServeOptions, serve } from './serve.ts'
import { type MigrateOptions, migrate, onStore, type StoreOptions } from './store.ts'
import { type TriggerOptions, trigger } from './trigger.ts'
import { addWallet, removeWallet } from './wallet.ts'
import type { World } from './world.ts'

/**
 * Runs one command.
 *
 * @param args - What follows `paywindow` on the command line.
 * @returns The exit code.
 */
export async function run(args: readonly string[], world: World): Promise<number> {
  try {
    await createProgram(world).parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const { line, exitCode } = describeFailure(error)
    world.stderr(`paywindow: ${line}\n`)
    return exitCode
  }
}

function createProgram(world: World): Command {
  const program = new Command('paywindow')
    .description('Commands for Paywindow and the exchange service behind it.')
    .version(version, '-V, --version', 'print the version of the package')
    .exitOverride()
    .configureOutput({ writeOut: world.stdout, writeErr: world.stderr })
    .addHelpText('after', help)
  addServe(program, world)
  addSandbox(program, world)
  addOrders(program, world)
  addWallets(program, world)
  addDoctor(program, world)
  addCheck(program, world)
  addCheckouts(program, world)
  addRetell(program, world)
  addReconcile(program, world)
  addMigrate(program, world)
  return program
}

const help = `
The commands for orders, wallets and checkouts use the service that these variables set:
  PAYWINDOW_SERVICE_URL      its base address
  PAYWINDOW_ACCESS_TOKEN     the access token
  PAYWINDOW_SUB_ACCOUNT_ID   the sub-account to act for`

function addServe(program: Command, world: World): void {
  program
    .command('serve')
    .description('serve payment pages, an API and events for shops that do not run TypeScript')
    .option('--config <file>', 'the settings, in JSON; secrets stand in the environment', 'paywindow.json')
    .option('--check', 'say what would be served, or what is wrong, and end')
    .option(
      '--sandbox-port <number>',
      'port of this machine for the sandbox, where a shop has it; 0 for any free port',
      wholeNumber(0, 65_535),
      defaultSandboxPort,
    )
    .action((options: ServeOptions) => serve(options, world))
  program
    .command('password')
    .description('make the password of the desk of a shop that paywindow serve has')
    .argument('<shop>', 'its name in the settings', shopNamed)
    .action((shop: string) => printPassword(shop, world))
}

function addSandbox(program: Command, world: World): void {
  program
    .command('sandbox')
    .description('play the exchange service on a port of this machine')
    .option('--port <number>', 'port to listen on; 0 for any free port', wholeNumber(0, 65_535), defaultSandboxPort)
    .option('--auto-confirm <seconds>', 'confirm complete deposits after this many seconds', wholeNumber(0, 86_400))
    .option('--webhook <url>', 'send webhooks to this address of your server')
    .option('--webhook-secret <secret>', "your server's webhookSecret, if it is not in that address")
    .action((options: SandboxCommandOptions) => runSandbox(options, world))
  addTrigger(program, world)
  onSandbox(program.command('listen'))
    .description("pass the sandbox's webhooks on to your server, and print how it answers each")
    .requiredOption('--forward-to <url>', 'address of paywindow.webhook on your server')
    .option('--secret <secret>', "your server's webhookSecret, if it is not in that address")
    .action((options: ListenOptions) => forwardWebhooks(options, world))
}

function addTrigger(program: Command, world: World): void {
  const command = onSandbox(program.command('trigger'))
    .description('let something happen in the sandbox: paid, underpaid, late, refund and more')
    .argument('[scenario]', 'name of what happens')
    .option('--list', 'list all scenarios')
    .option('--order <id>', 'the order that it happens to; default: the newest that it can happen to')
    .option('--reference <reference>', 'only orders of this cart, which is looked up in the store of your servers')
  onStore(command).action((name: string | undefined, options: TriggerOptions) => trigger(name, options, world))
}

function onSandbox(command: Command): Command {
  return command.option('--sandbox <url>', 'address of the sandbox', `http://127.0.0.1:${defaultSandboxPort}`)
}

function addOrders(program: Command, world: World): void {
  const orderings = ['id', 'recipient_email', 'description', 'created_at', 'status']
  program
    .command('orders')
    .description('list the orders of the sub-account')
    .addOption(new Option('--status <status>', 'only orders with this status').choices(orderStatuses))
    .option('--search <text>', 'only orders whose e-mail or description contains this text')
    .addOption(new Option('--order-by <field>', 'field to sort by').choices(orderings))
    .option(
      '--page <number>',
      'page number; the first is 0 or 1, depending on the service',
      wholeNumber(0, 1_000_000),
      1,
    )
    .option('--size <number>', 'orders per page', wholeNumber(1, 10_000), 20)
    .option('--json', 'print JSON')
    .action((options: OrdersOptions) => printOrders(options, world))
  program
    .command('order')
    .description('show one order')
    .argument('<id>', 'id of the order')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) => printOrder(id, options, world))
}

function addWallets(program: Command, world: World): void {
  const wallet = program.command('wallet').description('addresses that the sub-account withdraws to')
  wallet
    .command('add')
    .description('register an external address')
    .requiredOption('--asset <symbol>', 'asset, such as USDC')
    .requiredOption('--network <network>', "network, by the service's name for it, such as erc-20")
    .requiredOption('--address <address>', 'the address')
    .requiredOption('--name <name>', 'a name to find it by')
    .option('--json', 'print JSON')
    .action((options: WalletRequest & { json?: boolean }) => addWallet(options, world))
  wallet
    .command('remove')
    .description('delete an external address')
    .argument('<id>', 'id of the wallet')
    .action((id: string) => removeWallet(id, world))
}

function addDoctor(program: Command, world: World): void {
  onStore(program.command('doctor'))
    .description('check the service, the clock, the store and what waits in it, and say what to do; changes no record')
    .option('--json', 'print JSON')
    .action((options: DoctorOptions) => runDoctor(options, world))
}

function addCheck(program: Command, world: World): void {
  program
    .command('check')
    .description('request a merchant server from outside, as the widget does, and say what to do; creates nothing')
    .argument('<endpoint>', 'its address, such as https://shop.example/paywindow')
    .option('--reference <reference>', 'a cart to ask the offer of', 'paywindow-check')
    .option(
      '--page <address>',
      'also check the page with the widget: its script, its Content-Security-Policy, and whether it may use the endpoint',
    )
    .option('--json', 'print JSON')
    .action((address: string, options: CheckOptions) => checkEndpoint(address, options, world))
}

function addCheckouts(program: Command, world: World): void {
  onStore(program.command('checkouts'))
    .description("list the shop's checkouts, newest first")
    .option('--reference <reference>', 'only those of this cart')
    .addOption(
      new Option('--only <kind>', 'only those that wait for a person (attention), or of one kind')
        .choices(Object.keys(kinds))
        .conflicts('reference'),
    )
    .option('--search <text>', 'only those with this in the order, its number, an id, an address, a tag or an amount')
    .option(
      '--from <time>',
      'paid (or, if unpaid, created) from then on: a UTC day, an ISO time, or 7d',
      moment('from'),
    )
    .option('--to <time>', 'the same, up to then: a day is included', moment('to'))
    .option('--before <id>', 'only those older than this one')
    .option('--limit <number>', 'how many at most', wholeNumber(1, 1_000_000), 100)
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV')
    .action((options: CheckoutsOptions) => printCheckouts(options, world))
  onStore(program.command('checkout'))
    .description('show one checkout and what has happened to it')
    .argument('<id>', 'id of the checkout')
    .option('--json', 'print JSON')
    .action((id: string, options: StoreOptions & { json?: boolean }) => printCheckout(id, options, world))
  onStore(program.command('bind'))
    .description('name the order of a checkout by hand, if it could not be identified')
    .argument('<checkout>', 'id of the checkout')
    .argument('<order>', "id of the service's order")
    .option('--confirm', 'bind it although the order contradicts the checkout: first read the refusal without this')
    .action((checkoutId: string, orderId: string, options: StoreOptions & { confirm?: boolean }) =>
      bindCheckout({ checkoutId, orderId }, options, world),
    )
}

function addRetell(program: Command, world: World): void {
  onStore(program.command('retell'))
    .description('have onStatusChange called again for the last change of a checkout, with the same eventId')
    .argument('[checkout]', 'id of the checkout')
    .option('--since <time>', 'all whose last change came since then: an ISO time, or 7d, 12h, 30m ago', pastTime)
    .action((id: string | undefined, options: RetellOptions) => retell(id, options, world))
}

function addReconcile(program: Command, world: World): void {
  onStore(program.command('reconcile'))
    .description("compare the service's list of orders with the store, and name every difference; changes nothing")
    .option('--since <time>', 'orders made since then: an ISO time, or 7d, 12h, 30m ago', pastTime, pastTime('7d'))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV')
    .action((options: ReconcileOptions) => reconcile(options, world))
}

function addMigrate(program: Command, world: World): void {
  program
    .command('migrate')
    .description('make or update the tables of the Postgres store in the database that DATABASE_URL names')
    .option('--schema <name>', 'schema of the tables', defaultSchema)
    .option('--print', 'print the statement, and connect to nothing')
    .action((options: MigrateOptions) => migrate(options, world))
}
