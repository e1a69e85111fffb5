/** `paywindow doctor`: checks a shop's service and store, and says what to do. Changes nothing. */
import { isOfOtherSubAccount } from '../server/core/agreement.ts'
import { lookQueues } from '../server/core/looks.ts'
import { isLocalTime, serviceTimeMs } from '../server/core/service-times.ts'
import { directionOf } from '../server/orders/list-walk.ts'
import { atLargestSize } from '../server/orders/page-reader.ts'
import type { PaywindowServer } from '../server/paywindow.ts'
import type { Store } from '../server/store/store.ts'
import { ServiceError } from '../service/errors.ts'
import type { ServiceClient, ServiceOptions } from '../service/index.ts'
import type { OrderPage, Timing } from '../service/types.ts'
import { access, connect } from './connect.ts'
import { CommandFailure, describeFailure } from './failure.ts'
import { type Finding, findingsOf, printFindings } from './finding.ts'
import { isLoopback } from './listen.ts'
import {
  createReader,
  nameOf,
  readStoreVersion,
  type StoreOptions,
  storeOfVariables,
  whyNotOpened,
  withStore,
} from './store.ts'
import { counted } from './text.ts'
import type { World } from './world.ts'

const service = findingsOf('Service')
const token = findingsOf('Access token')
const subAccount = findingsOf('Sub-account')
const clock = findingsOf('Clock')
const list = findingsOf('Order list')
const orderTimes = findingsOf('Order times')

const opened = findingsOf('Store')
const watch = findingsOf('Watching')
const unresolved = findingsOf('Unknown orders')
const waiting = findingsOf('Changes to deliver')
const test = findingsOf('Test mode')

/** A larger difference of clocks makes quotes end too early or too late. */
const maxDifferenceMs = 10_000
/** An order's time further in the future is wrong. */
const futureMs = 60_000
/** Time zones differ by multiples of this. */
const quarterMs = 15 * 60_000
/** The id of no order. */
const noOrderId = '00000000-0000-4000-8000-000000000000'

const minuteMs = 60_000
/** Longer than the time between two scheduled calls of `watchOnce`. */
const lateMs = 10 * minuteMs
const maxCounted = 100

/** Options of `paywindow doctor`. */
export interface DoctorOptions extends StoreOptions {
  readonly json?: boolean
}

/** Prints a line for each check. @throws CommandFailure, exit code 1, when something is wrong. */
export async function runDoctor({ json, ...options }: DoctorOptions, world: World): Promise<void> {
  printFindings([...(await checkService(world)), ...(await checkStore(options, world))], { json }, world)
}

/** Reads only. A check that fails ends the checks that need it. */
async function checkService(world: World): Promise<Finding[]> {
  let options: ServiceOptions
  let client: ServiceClient
  try {
    options = access(world)
    client = connect(world)
  } catch (error) {
    return [service.wrong(describeFailure(error).line)]
  }
  let page: OrderPage
  try {
    page = await atLargestSize((size) => client.listOrders({ orderBy: 'created_at', page: 1, size }))
  } catch (error) {
    return [refusal(error)]
  }
  return [
    service.ok(`${new URL(options.baseUrl).host} answers.`),
    token.ok('The service accepts it.'),
    await checkSubAccount(client, options.subAccountId, page),
    checkClock(page.timing, isLoopback(options.baseUrl)),
    checkList(page),
    ...checkTimes(page),
  ]
}

function refusal(error: unknown): Finding {
  const { line } = describeFailure(error)
  if (!(error instanceof ServiceError)) return service.wrong(line)
  if (error.code === 'unauthorized') return token.wrong(line)
  return error.code === 'forbidden' ? subAccount.wrong(line) : service.wrong(line)
}

/** A service may ignore the sub-account in the list, but not in the details. */
async function checkSubAccount(client: ServiceClient, own: string, { orders }: OrderPage): Promise<Finding> {
  if (orders.some((order) => isOfOtherSubAccount(order, own)))
    return subAccount.wrong(
      'The list shows orders of other sub-accounts. Check PAYWINDOW_SUB_ACCOUNT_ID, and ask the service how to list those of one.',
    )
  try {
    await client.orderDetails(orders[0]?.id ?? noOrderId)
  } catch (error) {
    const isNoOrder = orders.length === 0 && error instanceof ServiceError && error.code === 'not_found'
    if (!isNoOrder) return refusalOfDetails(error)
  }
  return subAccount.ok('The service accepts it.')
}

function refusalOfDetails(error: unknown): Finding {
  const { line } = describeFailure(error)
  const isForbidden = error instanceof ServiceError && error.code === 'forbidden'
  return isForbidden ? subAccount.wrong(line) : service.wrong(`It does not show the details of an order. ${line}`)
}

/** `Date` has whole seconds, and was written at some time between request and answer. */
function checkClock({ serviceDateMs, sentAtMs, answeredAtMs }: Timing, isSandbox: boolean): Finding {
  if (serviceDateMs === null) return clock.note('The service sends no Date, so its clock cannot be compared.')
  const behindMs = serviceDateMs - answeredAtMs
  const aheadMs = sentAtMs - (serviceDateMs + 1_000)
  const differenceMs = Math.max(behindMs, aheadMs, 0)
  if (differenceMs <= maxDifferenceMs) return clock.ok('This machine and the service agree.')
  const which = behindMs > 0 ? 'behind' : 'ahead of'
  // Scenarios such as `late` move it on.
  if (isSandbox && behindMs > 0)
    return clock.note(`The sandbox's clock was moved on: it is ${Math.round(differenceMs / 1_000)} s ahead.`)
  return clock.wrong(
    `This machine is ${Math.round(differenceMs / 1_000)} s ${which} the service. Keep its clock in step (NTP): it decides when a quote ends.`,
  )
}

function checkList({ orders, unreadable }: OrderPage): Finding {
  if (unreadable > 0)
    return list.wrong(`${unreadable} of the newest orders cannot be read: their checkouts cannot be followed.`)
  const times = orders.map(({ createdAt }) => serviceTimeMs(createdAt))
  if (times.some(Number.isNaN))
    return list.wrong('Orders without a readable created_at are shown, so each reading goes through the whole list.')
  if (new Set(times).size < 2) return list.note('It has too few orders to tell which way it is sorted.')
  switch (directionOf(orders)) {
    case 'down':
      return list.ok('It is sorted from the newest to the oldest.')
    case 'up':
      return list.ok('It is sorted from the oldest to the newest, and is read from its end.')
    case 'unknown':
      return list.wrong(
        'It is not sorted by created_at, so each reading goes through all of it. Ask the service why order_by has no effect.',
      )
  }
}

/** Compares the newest order with the service's clock: the service may write local times. */
function checkTimes({ orders, timing }: OrderPage): Finding[] {
  const times = orders.map(({ createdAt }) => serviceTimeMs(createdAt)).filter((atMs) => !Number.isNaN(atMs))
  if (times.length === 0) return []
  const aheadMs = Math.max(...times) - (timing.serviceDateMs ?? timing.answeredAtMs)
  const apart = `${Math.round(Math.abs(aheadMs) / 60_000)} minutes`
  if (orders.some(({ createdAt }) => isLocalTime(createdAt)))
    return [
      orderTimes.note(
        `created_at names no zone${aheadMs > futureMs ? `, and the newest is ${apart} ahead of UTC` : ''}. Paywindow learns the zone from its own orders, and so finds the first order later. Ask the service for times with a zone.`,
      ),
    ]
  if (aheadMs > futureMs)
    return [
      orderTimes.wrong(
        `The newest order was made ${apart} in the future: the service seems to label its times with a wrong zone. Ask it to correct them: no order can be found by them.`,
      ),
    ]
  const isQuarter = -aheadMs > futureMs && -aheadMs % quarterMs < futureMs
  if (!isQuarter) return []
  return [
    orderTimes.note(
      `The newest order was made ${apart} ago. If it was made just now, the service labels its times with a wrong zone: ask it to correct them.`,
    ),
  ]
}

/** Reads only. A store that cannot be opened ends the checks. */
async function checkStore(options: StoreOptions, world: World): Promise<Finding[]> {
  const versionFinding = await checkVersion(options, world)
  if (versionFinding.result !== 'ok') return [versionFinding]
  try {
    const isSandbox = isLoopback(world.env.PAYWINDOW_SERVICE_URL ?? '')
    const others: Finding[] = []
    const other = opened.note(
      'It has open checkouts of another account of the service, which are not counted below: are PAYWINDOW_SERVICE_URL and PAYWINDOW_SUB_ACCOUNT_ID those of your servers?',
    )
    const waits = await withStore(options, world, (store) =>
      checkWhatWaits(
        storeOfVariables(store, world, () => others.push(other)),
        isSandbox,
      ),
    )
    return [versionFinding, ...others, ...waits]
  } catch (error) {
    return [opened.wrong(`It cannot be read: ${reasonOf(error)}`)]
  }
}

async function checkVersion(options: StoreOptions, world: World): Promise<Finding> {
  try {
    const found = await readStoreVersion(options, world)
    const { version, newest } = found
    const why = whyNotOpened(found, options)
    if (why !== undefined) return version > 0 && version < newest ? opened.note(why) : opened.wrong(why)
    const what = version === newest ? 'the newest' : 'which this Paywindow may use'
    return opened.ok(`${nameOf(options)} opens and has version ${version}, ${what}.`)
  } catch (error) {
    return opened.wrong(reasonOf(error))
  }
}

async function checkWhatWaits(store: Store, isSandbox: boolean): Promise<Finding[]> {
  const paywindow = createReader(store)
  const { isWatched, backlog } = await paywindow.health()
  if (!backlog || isWatched === null)
    return [
      opened.wrong(
        'It does not answer within two seconds, or cannot be written to. Your servers cannot serve payers then.',
      ),
    ]
  return [
    await checkWatching(store, isWatched),
    await checkUnresolved(paywindow),
    checkWaiting(backlog),
    await checkTest(paywindow, isSandbox),
  ]
}

async function checkWatching(store: Store, isWatched: boolean): Promise<Finding> {
  const late = await Promise.all(lookQueues.map((queue) => store.listDue(queue, Date.now() - lateMs, maxCounted)))
  const count = late.reduce((sum, records) => sum + records.length, 0)
  if (count === 0)
    return isWatched
      ? watch.ok('A process follows the orders.')
      : watch.note(
          'No process follows orders at this moment, and no order is due: start paywindow.watch(), or watchOnce() every minute.',
        )
  const many = `${count} ${count === 1 ? 'checkout has' : 'checkouts have'} been due for more than ten minutes`
  return isWatched
    ? watch.wrong(
        `A process follows the orders, but ${many}: see what its onError says, and raise serviceRequestsPerSecond if you may.`,
      )
    : watch.wrong(
        `${many}, and no process follows orders: run paywindow.watch() in one process, or watchOnce() every minute.`,
      )
}

async function checkUnresolved({ checkouts }: PaywindowServer): Promise<Finding> {
  const found = await checkouts.list({ only: 'unresolved', limit: maxCounted })
  const old = found.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > lateMs)
  if (old.length === 0) return unresolved.ok('The order of every checkout of more than ten minutes is known.')
  return unresolved.wrong(
    `${countOf(old.length)} made more than ten minutes ago ${old.length === 1 ? 'has' : 'have'} no known order: see npx paywindow checkouts --only unresolved, and settle each with npx paywindow bind.`,
  )
}

function checkWaiting({
  untold,
  oldestUndeliveredMs,
}: {
  untold: number
  oldestUndeliveredMs: number | null
}): Finding {
  if (untold === 0) return waiting.ok('None waits.')
  if (oldestUndeliveredMs === null)
    return waiting.wrong(
      `${countOf(untold)} had changes that were given up after seven days of failures: see npx paywindow checkouts --only untold.`,
    )
  const who = `${countOf(untold)} ${untold === 1 ? 'waits' : 'wait'}`
  if (oldestUndeliveredMs <= lateMs) return waiting.note(`${who}, none for more than ten minutes.`)
  return waiting.wrong(
    `${who}, the oldest change for ${Math.round(oldestUndeliveredMs / minuteMs)} minutes: run watch() in a process with onStatusChange, and see what its onError says. If no process of your shop has one, set onStatusChange to null in all.`,
  )
}

/** The store does not know the servers' options, but its newest checkout shows test mode. */
async function checkTest({ checkouts }: PaywindowServer, isSandbox: boolean): Promise<Finding> {
  const [newest] = await checkouts.list({ limit: 1 })
  if (!newest) return test.note('There are no checkouts yet, so the mode is not known.')
  if (!newest.test) return test.ok('The newest checkout is for real money.')
  const words = `The newest checkout, ${newest.id}, is a test: its payer was told not to send money. Remove test: true before you sell.`
  return isSandbox ? test.note(words) : test.wrong(words)
}

function countOf(count: number): string {
  if (count >= maxCounted) return `${maxCounted} checkouts or more`
  return counted(count, 'checkout')
}

function reasonOf(error: unknown): string {
  return error instanceof CommandFailure
    ? describeFailure(error).line
    : error instanceof Error
      ? error.message
      : String(error)
}
