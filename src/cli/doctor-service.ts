/** What `paywindow doctor` checks of the service: whether it answers, to whom, its clock, and its list of orders. Only reads. */
import { isOfOtherSubAccount } from '../server/core/agreement.ts'
import { isLocalTime, serviceTimeMs } from '../server/core/service-times.ts'
import { directionOf } from '../server/orders/list-pages.ts'
import { atLargestSize } from '../server/orders/list-reader.ts'
import { ServiceError } from '../service/errors.ts'
import type { ServiceClient, ServiceOptions } from '../service/index.ts'
import type { OrderPage, Timing } from '../service/types.ts'
import { access, connect } from './connect.ts'
import { describeFailure } from './failure.ts'
import { type Finding, findingsOf } from './finding.ts'
import type { World } from './world.ts'

const service = findingsOf('Service')
const token = findingsOf('Access token')
const subAccount = findingsOf('Sub-account')
const clock = findingsOf('Clock')
const list = findingsOf('Order list')
const orderTimes = findingsOf('Order times')

/** A clock that differs by more than this is said to be wrong: quotes end too early then. */
const maxDifferenceMs = 10_000
/** A time of an order that is this far in the future is not the time at which it was made. */
const futureMs = 60_000
/** Zones differ by quarters of an hour, and what was written just now is a little older. */
const quarterMs = 15 * 60_000
/** An order that no service has. */
const noOrderId = '00000000-0000-4000-8000-000000000000'

/** One finding or more; the first that is wrong ends the checks that need what it checks. */
export async function checkService(world: World): Promise<Finding[]> {
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
    checkClock(page.timing),
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

/** The list may be answered without regard to the sub-account, and details may not. */
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

/** A `Date` has whole seconds, and was written at some moment between request and answer. */
function checkClock({ serviceDateMs, sentAtMs, answeredAtMs }: Timing): Finding {
  if (serviceDateMs === null) return clock.note('The service sends no Date, so its clock cannot be compared.')
  const behindMs = serviceDateMs - answeredAtMs
  const aheadMs = sentAtMs - (serviceDateMs + 1_000)
  const differenceMs = Math.max(behindMs, aheadMs, 0)
  if (differenceMs <= maxDifferenceMs) return clock.ok('This machine and the service agree.')
  const which = behindMs > 0 ? 'behind' : 'ahead of'
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

/** Compares the newest order with the service's clock: a service may write the time of its own place, with or without saying so. */
function checkTimes({ orders, timing }: OrderPage): Finding[] {
  const times = orders.map(({ createdAt }) => serviceTimeMs(createdAt)).filter((atMs) => !Number.isNaN(atMs))
  if (times.length === 0) return []
  const aheadMs = Math.max(...times) - (timing.serviceDateMs ?? timing.answeredAtMs)
  const apart = `${Math.round(Math.abs(aheadMs) / 60_000)} minutes`
  if (orders.some(({ createdAt }) => isLocalTime(createdAt)))
    return [
      orderTimes.note(
        `created_at names no zone${aheadMs > futureMs ? `, and the newest is ${apart} ahead of UTC` : ''}. Paywindow learns the zone from its own orders, and knows the first later. Ask the service for times with a zone.`,
      ),
    ]
  if (aheadMs > futureMs)
    return [
      orderTimes.wrong(
        `The newest order was made ${apart} in the future: the service seems to write times of another zone than they name. Ask it for the right ones: by these no order can be found.`,
      ),
    ]
  const isQuarter = -aheadMs > futureMs && -aheadMs % quarterMs < futureMs
  if (!isQuarter) return []
  return [
    orderTimes.note(
      `The newest order was made ${apart} ago. If it was made just now, the service writes times of another zone than they name: ask it for the right ones.`,
    ),
  ]
}
