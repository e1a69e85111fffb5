/** What stands before a shop on Node: its window, and a line that loses an answer. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { openPort } from '../../src/server/http/listen.ts'

/** What somebody has bought, and not paid. */
export interface Bought {
  /** As the payer knows it. */
  readonly id: string
  /** `order` of the events. */
  readonly order: string
  readonly link: string
}

/** What a guest can ask a shop for. */
interface Counter {
  buy(): Promise<Bought>
  stateFor(id: string): Promise<string>
}

/** A shop window with one button. It believes the platform, and nothing that a browser says. */
export async function openStorefront(shop: () => Counter) {
  const orders: Bought[] = []
  const server = createServer(async (request, response) => {
    const html = { 'content-type': 'text/html; charset=utf-8' }
    const head = '<!doctype html><title>Lantern Books</title><link rel="icon" href="data:,">'
    if (request.method === 'POST') {
      const bought = await shop().buy()
      orders.push(bought)
      response.writeHead(303, { location: bought.link, 'set-cookie': `order=${bought.id}` }).end()
      return
    }
    const [, id] = request.url?.startsWith('/orders') ? (/order=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []) : []
    const form = '<form method="post"><button>Pay with crypto</button></form>'
    response.writeHead(200, html).end(head + (id === undefined ? form : await shop().stateFor(id)))
  })
  const port = await openPort(server, { port: 0, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${port}`,
    last: () => {
      const last = orders.at(-1)
      if (!last) throw new Error('nobody has bought anything')
      return last
    },
    close: () => server.close(),
  }
}

/** A line to the shop that loses the first answer that says 2xx. */
export async function openLosingLine(target: string) {
  let isLost = false
  const server = createServer(async (request, response) => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
    const { status, ok } = await fetch(target, { method: 'POST', headers, body: await text(request) })
    if (isLost || !ok) response.writeHead(status).end()
    else response.destroy()
    isLost ||= ok
  })
  const port = await openPort(server, { port: 0, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
