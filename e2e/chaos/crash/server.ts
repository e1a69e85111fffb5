/**
 * A merchant's server that will be killed: the real one, on a real store, over HTTP. Events and
 * errors go to the process that started it.
 */
import { createServer } from 'node:http'
import { lookQueues } from '../../../src/server/core/looks.ts'
import { createPaywindow, type StatusEvent, type Store, toNodeListener } from '../../../src/server/node.ts'
import { openStore } from '../../stores/open-store.ts'
import { isLinked, offerFor } from './offer.ts'

/** The role `web` answers browsers but cannot deliver; `worker` watches and delivers. */
const [role, place, serviceUrl, accessToken, subAccountId, merchantUrl] = process.argv.slice(2)
if (!role || !place || !serviceUrl || !accessToken || !subAccountId || !merchantUrl)
  throw new Error('The role, the store, the service and the merchant have to be named')

async function onStatusChange({ eventId, reference, status, previousStatus, price, at, checkout }: StatusEvent) {
  const event = { eventId, reference, status, previousStatus, price, at, checkoutId: checkout.id }
  const answer = await fetch(merchantUrl ?? '', { method: 'POST', body: JSON.stringify(event) })
  if (!answer.ok) throw new Error(`The merchant answered ${answer.status}`)
}

const { store: opened } = await openStore(JSON.parse(place))
/** Queues in which the watcher has found nothing. */
const empty = new Set<string>()
const store: Store = {
  ...opened,
  lease: async (name, holder, forMs) => {
    const isTaken = await opened.lease(name, holder, forMs)
    if (isTaken && name === 'watch') process.send?.({ hasWatchLease: true })
    return isTaken
  },
  listDue: async (queue, nowMs, limit) => {
    const due = await opened.listDue(queue, nowMs, limit)
    // A request for one record only asks whether anybody watches.
    if (due.length === 0 && limit > 1) empty.add(queue)
    if (lookQueues.every((each) => empty.has(each))) {
      empty.clear()
      process.send?.({ hasLookedAtAll: true })
    }
    return due
  },
}
const paywindow = createPaywindow({
  store,
  // A killed server's request is given up after this time. The default, 15 s, would take too long.
  service: { baseUrl: serviceUrl, accessToken, subAccountId, timeoutMs: 2_500 },
  test: true,
  creationsPerClient: 1_000_000,
  linkSecret: 'signs payment links, in the crash test',
  // Its path alone counts: a server that is started again has another port.
  page: { url: 'http://127.0.0.1/pay' },
  offer: ({ reference, link }) => (isLinked(reference) && !link ? null : offerFor(reference)),
  ...(role === 'worker' && { onStatusChange, callbackTimeoutMs: 3_000 }),
  onError: (error) => process.send?.({ error: error.code }),
})
const listener = toNodeListener(paywindow)
/** The merchant's own code makes links, and shows their queries. */
const server = createServer((request, response) => {
  const [, reference] = /^\/links\/(.+)$/.exec(request.url ?? '') ?? []
  if (reference === undefined) return void listener(request, response)
  paywindow.link({ reference, validForMs: 3_600_000 }).then(
    ({ url }) => response.end(new URL(url).search),
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
  // After the message, so that nothing seems to come from the process before it.
  if (role === 'worker') paywindow.watch()
})
process.on('disconnect', () => process.exit())
