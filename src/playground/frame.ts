/**
 * The frame of the playground: the shop, its merchant server and the service in one page, in front
 * of which a widget is drawn. The page around it plays the payer and moves the clock through
 * `window.playground`.
 */
import { sandboxArrival } from 'paywindow/sandbox'
import { createMemoryStore, createPaywindow } from 'paywindow/server'
import type { Simulation } from '../demo/payer-panel.ts'
import { createSimulatedService, Impossible } from '../demo/simulated-service.ts'
import { type Appearance, defaultAppearance } from './appearance.ts'
import { makeClocksMovable } from './movable-clocks.ts'
import { servePictures } from './pictures.ts'

/** Who did or said something, and what. */
export interface Entry {
  readonly who: 'widget' | 'server' | 'shop' | 'payer'
  readonly text: string
}

/** What the page around the frame can do. */
export interface Playground {
  /** Lets the payer or the service do something, and says in a sentence what came of it. */
  simulate(simulation: Simulation): string
  /** Lets this many milliseconds pass for everybody in the frame. */
  advance(ms: number): void
  show(appearance: Appearance): void
  /** Begins another cart. */
  restart(): void
  /** Tells what happens from now on, and what has happened. */
  listen(listener: (entry: Entry) => void): void
}

/** Draws the widget for a cart, for the first time or anew. */
type Draw = (reference: string, appearance: Appearance) => void | Promise<void>

declare global {
  interface Window {
    playground?: Playground
  }
}

/** Where the server in the page seems to be. */
export const endpoint = '/paywindow'
const methods = [
  { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
  { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  { asset: 'USDC', network: 'base', name: 'USD Coin' },
  { asset: 'USDT', network: 'trc-20', name: 'Tether' },
  { asset: 'XRP', network: 'ripple', name: 'XRP' },
  { asset: 'LTC', network: 'litecoin', name: 'Litecoin' },
]

const advance = makeClocksMovable(window)
const log = createLog()
// An id in the answer to a creation: nobody has to wait for a minute until an order is known for
// certain.
const simulated = createSimulatedService({ creationId: true, advance })
const paywindow = createPaywindow({
  service: { ...simulated.service, fetch: told('server', (request) => simulated.service.fetch(request)) },
  store: createMemoryStore(),
  test: true,
  readArrival: sandboxArrival,
  offer: ({ reference }) => ({
    price: { asset: 'USD', amount: '49.90' },
    methods,
    merchant: { name: 'Lantern Books' },
    description: `Order ${reference.replace('cart-', '')}`,
  }),
  onStatusChange: ({ status, price, reference }) =>
    log.write({ who: 'shop', text: `onStatusChange: ${reference}, ${status}, ${price.amount} ${price.asset}` }),
  onError: ({ code, message }) => log.write({ who: 'shop', text: `onError: ${code}: ${message}` }),
})
paywindow.watch()

const isOurs = ({ origin, pathname }: URL) => origin === location.origin && pathname.startsWith(`${endpoint}/`)
const network = window.fetch.bind(window)
const toServer = told('widget', paywindow.fetch)
window.fetch = (input, init) => {
  const request = new Request(input, init)
  return isOurs(new URL(request.url)) ? toServer(request) : network(request)
}
servePictures(isOurs, (url) => paywindow.fetch(new Request(url)))

/** Begins with the first cart. */
export function open(draw: Draw): void {
  let cart = 42
  let appearance = defaultAppearance
  const drawAgain = () => {
    document.documentElement.dataset.theme = appearance.theme
    void draw(`cart-${cart}`, appearance)
  }
  window.playground = {
    simulate: (simulation) => {
      const happened = simulate(simulation)
      log.write({ who: 'payer', text: happened })
      return happened
    },
    advance,
    show: (next) => {
      appearance = next
      drawAgain()
    },
    restart: () => {
      cart += 1
      drawAgain()
    },
    listen: log.listen,
  }
  drawAgain()
}

function simulate(simulation: Simulation): string {
  try {
    return simulated.simulate(simulation, simulated.orders())
  } catch (error) {
    if (error instanceof Impossible) return error.message
    throw error
  }
}

/** Writes down each request with its answer. */
function told(who: Entry['who'], answer: (request: Request) => Promise<Response>) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = await withBody(new Request(input, init))
    const response = await answer(request)
    log.write({ who, text: `${request.method} ${new URL(request.url).pathname} → ${response.status}` })
    return response
  }
}

/** Firefox has the stream of a body in answers only, and servers read it in requests. */
async function withBody(request: Request): Promise<Request> {
  if (request.body !== undefined) return request
  const { body } = new Response(await request.clone().arrayBuffer())
  return Object.defineProperty(request, 'body', { value: body })
}

function createLog() {
  const entries: Entry[] = []
  const listeners: ((entry: Entry) => void)[] = []
  return {
    write: (entry: Entry) => {
      entries.push(entry)
      for (const listener of listeners) listener(entry)
    },
    listen: (listener: (entry: Entry) => void) => {
      for (const entry of entries) listener(entry)
      listeners.push(listener)
    },
  }
}
