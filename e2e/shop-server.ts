/**
 * The demo shop as a child process of a test: the real one, on a free port. Over a channel that no browser has, the test reads
 * the secrets that must never reach a browser, and moves the clock.
 */
import { createServer } from 'node:http'
import { listenerOf } from '../src/demo/listener.ts'
import { openShop } from '../src/demo/shop.ts'

/** What a test asks for. */
export type Question =
  | { readonly ask: 'secrets' }
  | { readonly ask: 'orders' }
  | { readonly ask: 'advance'; readonly ms: number }

const shop = openShop({ kind: 'sandbox' }, '.paywindow', (line) => console.log(line))
const { simulated } = shop
if (!simulated) throw new Error('the shop has no sandbox')

const server = createServer(listenerOf(shop))
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))

process.on('message', (question: Question) => process.send?.(answer(question)))
process.on('disconnect', () => process.exit())

function answer(question: Question): unknown {
  switch (question.ask) {
    case 'secrets':
      return [simulated?.service.accessToken, simulated?.service.subAccountId, ...orderIds()]
    case 'orders':
      return orderIds()
    case 'advance':
      simulated?.advance(question.ms)
      return 'advanced'
  }
}

function orderIds(): string[] {
  return simulated?.orders().map(({ id }) => id) ?? []
}
