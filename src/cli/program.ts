/** The commands and their options. Exit codes: 0 done, 1 the service refused or failed, 2 wrong usage or environment. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { orderStatuses } from '../contract/checkout.ts'
import { defaultSchema } from '../server/store/postgres-schema.ts'
import { defaultStorePath } from '../server/store/sqlite.ts'
import type { WalletRequest } from '../service/types.ts'
import { bindCheckout, type CheckoutsOptions, printCheckout, printCheckouts } from './checkouts.ts'
import { describeFailure, exitCodes } from './failure.ts'
import { type MigrateOptions, migrate } from './migrate.ts'
import { type OrdersOptions, printOrder, printOrders } from './orders.ts'
import { runSandbox, type SandboxCommandOptions } from './sandbox.ts'
import type { StoreOptions } from './shop.ts'
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
    // Commander has already printed its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const { line, exitCode } = describeFailure(error)
    world.stderr(`paywindow: ${line}\n`)
    return exitCode
  }
}

function createProgram(world: World): Command {
  const program = new Command('paywindow')
    .description('Commands for Paywindow and the exchange service behind it.')
    .exitOverride()
    .configureOutput({ writeOut: world.stdout, writeErr: world.stderr })
    .addHelpText('after', help)
  addSandbox(program, world)
  addOrders(program, world)
  addWallets(program, world)
  addCheckouts(program, world)
  addMigrate(program, world)
  return program
}

const help = `
The commands for orders, wallets and checkouts use the service that these variables set:
  PAYWINDOW_SERVICE_URL      its base address
  PAYWINDOW_ACCESS_TOKEN     the access token
  PAYWINDOW_SUB_ACCOUNT_ID   the sub-account to act for`

function addSandbox(program: Command, world: World): void {
  program
    .command('sandbox')
    .description('play the exchange service on a port of this machine')
    .option('--port <number>', 'port to listen on; 0 for any free port', wholeNumber(0, 65_535), 4300)
    .option('--auto-confirm <seconds>', 'confirm complete deposits after this many seconds', wholeNumber(0, 86_400))
    .action((options: SandboxCommandOptions) => runSandbox(options, world))
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
    .action(({ json, ...request }: WalletRequest & { json?: boolean }) =>
      addWallet(request, json ? 'json' : 'text', world),
    )
  wallet
    .command('remove')
    .description('delete an external address')
    .argument('<id>', 'id of the wallet')
    .action((id: string) => removeWallet(id, world))
}

function addCheckouts(program: Command, world: World): void {
  const onStore = (command: Command) =>
    command
      .option('--store <file>', 'file of the SQLite store', defaultStorePath)
      .option('--postgres', 'use the Postgres that DATABASE_URL names instead')
      .option('--schema <name>', 'schema of its tables', defaultSchema)
  onStore(program.command('checkouts'))
    .description("list the shop's checkouts, newest first")
    .option('--reference <reference>', 'only those of this cart')
    .addOption(
      new Option('--only <kind>', 'only those whose order cannot be identified, or with changes not delivered')
        .choices(['unresolved', 'untold'])
        .conflicts('reference'),
    )
    .option('--before <id>', 'only those older than this one')
    .option('--limit <number>', 'how many at most', wholeNumber(1, 1_000), 100)
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV')
    .action((options: CheckoutsOptions) => printCheckouts(options, world))
  onStore(program.command('checkout'))
    .description('show one checkout and what has happened to it')
    .argument('<id>', 'id of the checkout')
    .option('--json', 'print JSON')
    .action((id: string, options: StoreOptions & { json?: boolean }) => printCheckout(id, options, world))
  onStore(program.command('bind'))
    .description('settle which order is a checkout’s, when it could not be identified')
    .argument('<checkout>', 'id of the checkout')
    .argument('<order>', "id of the service's order")
    .action((checkoutId: string, orderId: string, options: StoreOptions) =>
      bindCheckout({ checkoutId, orderId }, options, world),
    )
}

function addMigrate(program: Command, world: World): void {
  program
    .command('migrate')
    .description('make or update the tables of the Postgres store in the database that DATABASE_URL names')
    .option('--schema <name>', 'schema of the tables', defaultSchema)
    .option('--print', 'print the statement, and connect to nothing')
    .action((options: MigrateOptions) => migrate(options, world))
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
  }
}
