/** The commands for those who run a shop, and their options. */
import { type Command, Option } from 'commander'
import { defaultSchema } from '../server/store/postgres-schema.ts'
import { type CheckOptions, checkEndpoint } from './check-endpoint.ts'
import { bindCheckout, type CheckoutsOptions, printCheckout, printCheckouts } from './checkouts.ts'
import { choices } from './chosen-checkouts.ts'
import { type DoctorOptions, runDoctor } from './doctor.ts'
import { type MigrateOptions, migrate } from './migrate.ts'
import { onStore, type StoreOptions } from './on-store.ts'
import { pastTime, wholeNumber } from './option-values.ts'
import { type ReconcileOptions, reconcile } from './reconcile.ts'
import { type RetellOptions, retell } from './retell.ts'
import type { World } from './world.ts'

/** Adds them to the program. */
export function addOperator(program: Command, world: World): void {
  addDoctor(program, world)
  addCheck(program, world)
  addCheckouts(program, world)
  addRetell(program, world)
  addReconcile(program, world)
  addMigrate(program, world)
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
    .description(
      'try a merchant server from outside, as the widget on a page does, and say what to do; creates nothing',
    )
    .argument('<endpoint>', 'its address, such as https://shop.example/paywindow')
    .option('--reference <reference>', 'a cart to ask the offer of', 'paywindow-check')
    .option(
      '--page <address>',
      'the page with the widget: its script, its Content-Security-Policy, and whether it may ask',
    )
    .option('--json', 'print JSON')
    .action((address: string, options: CheckOptions) => checkEndpoint(address, options, world))
}

function addCheckouts(program: Command, world: World): void {
  onStore(program.command('checkouts'))
    .description("list the shop's checkouts, newest first")
    .option('--reference <reference>', 'only those of this cart')
    .addOption(
      new Option(
        '--only <kind>',
        'only those whose order cannot be identified, with changes not delivered, of a cart that is paid twice, or paid late',
      )
        .choices(['unresolved', 'untold', ...choices])
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
    .option('--confirm', 'although the order contradicts the checkout, as the refusal before has said')
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
