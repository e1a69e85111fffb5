/**
 * A merchant's server that is about to be killed: the real one, on its SQLite store, over HTTP. What it tells the merchant's code
 * goes to the process that started it and does not die.
 */
import { createServer } from 'node:http'
import { createPaywindow, type StatusEvent, toNodeListener } from '../../../src/server/node.ts'
import { offerFor } from './offer.ts'

/** `web` answers browsers and has nobody to tell; `worker` watches and tells. */
const [role, storePath, serviceUrl, accessToken, subAccountId, merchantUrl] = process.argv.slice(2)
if (!role || !storePath || !serviceUrl || !accessToken || !subAccountId || !merchantUrl)
  throw new Error('The role, the store, the service and the merchant have to be named')

async function onStatusChange({ eventId, reference, status, previousStatus, price, at, checkout }: StatusEvent) {
  const event = { eventId, reference, status, previousStatus, price, at, checkoutId: checkout.id }
  const answer = await fetch(merchantUrl ?? '', { method: 'POST', body: JSON.stringify(event) })
  if (!answer.ok) throw new Error(`The merchant answered ${answer.status}`)
}

const paywindow = createPaywindow({
  storePath,
  // An answer that a killed server waited for is given up this long after; nobody wants to wait 15 s for it here.
  service: { baseUrl: serviceUrl, accessToken, subAccountId, timeoutMs: 2_500 },
  test: true,
  creationsPerClient: 1_000_000,
  offer: ({ reference }) => offerFor(reference),
  ...(role === 'worker' && { onStatusChange, callbackTimeoutMs: 3_000 }),
  onError: (error) => process.send?.({ error: error.code }),
})
if (role === 'worker') paywindow.watch()
const server = createServer(toNodeListener(paywindow))
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
