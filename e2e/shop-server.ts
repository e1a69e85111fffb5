/**
 * The demo shop, in a child process of a worker, on a free port, opened anew for every test. Over a
 * channel that no browser has, the test reads secrets, moves the clock and makes the service
 * refuse.
 */
import { createServer } from 'node:http'
import { listenerOf } from '../src/demo/listener.ts'
import { openShop } from '../src/demo/shop.ts'
import { openPort } from '../src/server/http/listen.ts'

/** What a test asks for. */
export type Question =
  | { readonly ask: 'open' }
  | { readonly ask: 'secrets' }
  | { readonly ask: 'orders' }
  | { readonly ask: 'advance'; readonly ms: number }
  | { readonly ask: 'refuse' }
  | { readonly ask: 'close' }

/** The answer to a question, or a line of the shop's log. */
export type Message = { readonly answer: unknown } | { readonly line: string }

type Answers = { readonly [Name in Exclude<Question['ask'], 'open'>]: (ms: number) => unknown }

let open: Answers | undefined

process.on('message', async (question: Question) => {
  const answer = question.ask === 'open' ? await openAnew() : await openOne()[question.ask](msOf(question))
  // The channel drops undefined values.
  tell({ answer: answer ?? null })
})
process.on('disconnect', () => process.exit())

/** Opens a shop that knows nothing of any before it. Resolves with its port. */
async function openAnew(): Promise<number> {
  if (open) throw new Error('the shop of the test before is still open')
  const shop = openShop({ kind: 'sandbox' }, '.paywindow', (line) => tell({ line }))
  const { simulated } = shop
  if (!simulated) throw new Error('the shop has no sandbox')
  const { service } = simulated
  const server = createServer(listenerOf(shop))
  const orderIds = () => simulated.orders().map(({ id }) => id)
  open = {
    secrets: () => [service.accessToken, service.subAccountId, ...orderIds()],
    orders: orderIds,
    advance: (ms) => simulated.advance(ms),
    refuse: async () => {
      const body = JSON.stringify({ kind: 'status', status: 422, message: 'The amount is below the minimum' })
      const { status } = await service.fetch(`${service.baseUrl}/sandbox/fault`, { method: 'PUT', body })
      if (status !== 200) throw new Error(`the sandbox answered ${status}`)
    },
    close: async () => {
      open = undefined
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await shop.close()
    },
  }
  return openPort(server, { port: 0, host: '127.0.0.1' })
}

function openOne(): Answers {
  if (!open) throw new Error('no shop is open')
  return open
}

function msOf(question: Question): number {
  return question.ask === 'advance' ? question.ms : 0
}

function tell(message: Message): void {
  process.send?.(message)
}
