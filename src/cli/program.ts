/** The commands and their options. Exit codes: 0 done, 1 the service refused or failed, or `doctor` found something wrong, 2 wrong usage or environment. */
import { Command, CommanderError, Option } from 'commander'
import { version } from '../../package.json' with { type: 'json' }
import { orderStatuses } from '../contract/checkout.ts'
import type { WalletRequest } from '../service/types.ts'
import { describeFailure, exitCodes } from './failure.ts'
import { addOperator } from './operator-commands.ts'
import { wholeNumber } from './option-values.ts'
import { type OrdersOptions, printOrder, printOrders } from './orders.ts'
import { addSandboxCommands } from './sandbox-commands.ts'
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
    .version(version, '-V, --version', 'print the version of the package')
    .exitOverride()
    .configureOutput({ writeOut: world.stdout, writeErr: world.stderr })
    .addHelpText('after', help)
  addSandboxCommands(program, world)
  addOrders(program, world)
  addWallets(program, world)
  addOperator(program, world)
  return program
}

const help = `
The commands for orders, wallets and checkouts use the service that these variables set:
  PAYWINDOW_SERVICE_URL      its base address
  PAYWINDOW_ACCESS_TOKEN     the access token
  PAYWINDOW_SUB_ACCOUNT_ID   the sub-account to act for`

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
