/** What `paywindow doctor` checks of the shop's store: whether it opens, what waits in it, whether anybody follows, test mode. */

import { lookQueues } from '../server/core/looks.ts'
import { createPaywindow, type PaywindowServer } from '../server/paywindow.ts'
import { firstAccountKey } from '../server/store/of-account.ts'
import type { Store } from '../server/store/store.ts'
import { CommandFailure, describeFailure } from './failure.ts'
import { type Finding, findingsOf } from './finding.ts'
import { isOwnMachine } from './listen.ts'
import type { StoreOptions } from './on-store.ts'
import { withStore } from './shop.ts'
import { nameOf, readStoreVersion, whyNotOpened } from './store-version.ts'
import type { World } from './world.ts'

const opened = findingsOf('Store')
const watch = findingsOf('Watching')
const unresolved = findingsOf('Unknown orders')
const waiting = findingsOf('Changes to deliver')
const test = findingsOf('Test mode')

const minuteMs = 60_000
/** What is later than this is not between two rounds of a scheduled `watchOnce`. */
const lateMs = 10 * minuteMs
const maxCounted = 100

/** One finding or more; a store that cannot be opened ends the checks. */
export async function checkStore(options: StoreOptions, world: World): Promise<Finding[]> {
  const versionFinding = await checkVersion(options, world)
  if (versionFinding.result !== 'ok') return [versionFinding]
  try {
    const isSandbox = isOwnMachine(world.env.PAYWINDOW_SERVICE_URL ?? '')
    return [versionFinding, ...(await withStore(options, world, (store) => checkWhatWaits(store, isSandbox)))]
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

/** The server here asks the service nothing: health does not, and nothing else is called but reading the store. */
async function checkWhatWaits(store: Store, isSandbox: boolean): Promise<Finding[]> {
  const paywindow = createPaywindow({
    service: { baseUrl: 'https://service.invalid', accessToken: 'none', subAccountId: 'none' },
    store: asItsFirstAccount(store),
    offer: () => null,
  })
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

/** Whichever that is: whoever looks at a store may reach the service by another address than the shop. */
function asItsFirstAccount(store: Store): Store {
  return {
    ...store,
    read: async (key) => (key === firstAccountKey ? undefined : store.read(key)),
    create: async (record) => record.key === firstAccountKey || store.create(record),
  }
}

async function checkWatching(store: Store, isWatched: boolean): Promise<Finding> {
  const late = await Promise.all(lookQueues.map((queue) => store.listDue(queue, Date.now() - lateMs, maxCounted)))
  const count = late.reduce((sum, records) => sum + records.length, 0)
  if (count === 0)
    return isWatched
      ? watch.ok('A process follows the orders.')
      : watch.note(
          'No process follows orders at this moment, and none was due: start paywindow.watch(), or watchOnce() every minute.',
        )
  const many = `${count} ${count === 1 ? 'checkout has' : 'checkouts have'} been due for more than ten minutes`
  return isWatched
    ? watch.wrong(
        `A process follows the orders, but ${many}: see what its onError says, and raise serviceRequestsPerSecond if you may.`,
      )
    : watch.wrong(
        `${many}, and no process follows them: run paywindow.watch() in one process, or watchOnce() every minute.`,
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
  if (oldestUndeliveredMs <= lateMs) return waiting.note(`${countOf(untold)} wait, none for more than ten minutes.`)
  return waiting.wrong(
    `${countOf(untold)} wait, the oldest change for ${Math.round(oldestUndeliveredMs / minuteMs)} minutes: run watch() in a process with onStatusChange, and see what its onError says. If no process of your shop has one, set onStatusChange to null in all.`,
  )
}

/** The store cannot say how a server is set up, but its newest checkout was made by one. */
async function checkTest({ checkouts }: PaywindowServer, isSandbox: boolean): Promise<Finding> {
  const [newest] = await checkouts.list({ limit: 1 })
  if (!newest) return test.note('There are no checkouts yet, so it cannot be told.')
  if (!newest.test) return test.ok('The newest checkout is for real money.')
  const words = `The newest checkout, ${newest.id}, is a test: its payer was told not to send money. Remove test: true before you sell.`
  return isSandbox ? test.note(words) : test.wrong(words)
}

function countOf(count: number): string {
  if (count >= maxCounted) return `${maxCounted} checkouts or more`
  return count === 1 ? '1 checkout' : `${count} checkouts`
}

function reasonOf(error: unknown): string {
  return error instanceof CommandFailure
    ? describeFailure(error).line
    : error instanceof Error
      ? error.message
      : String(error)
}
