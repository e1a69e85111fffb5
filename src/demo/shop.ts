/** Assembles the shop: its orders, Paywindow, and the sandbox if that plays the service. */
import { randomBytes } from 'node:crypto'
import { sandboxArrival } from 'paywindow/sandbox'
import { createMemoryStore, type OfferCallback } from 'paywindow/server'
import { createPaywindow } from 'paywindow/server/node'
import type { ServiceEnvironment } from 'paywindow/service'
import { plain } from './headers.ts'
import { type Orders, openOrders, priceOf } from './orders.ts'
import { createRoutes } from './routes.ts'
import { readSession } from './session.ts'
import { settle } from './settlement.ts'
import { createSimulatedService, type SimulatedService } from './simulated-service.ts'
import { createSimulationRoutes } from './simulation-routes.ts'

/** The shop: its pages, its orders and its merchant server. */
export interface Shop {
  /**
   * Answers every request: for pages, the cart and files, from the widget and, with the sandbox,
   * from the simulated payer.
   */
  fetch(request: Request): Promise<Response>
  /** The sandbox, where it plays the service. */
  readonly simulated: SimulatedService | null
  close(): Promise<void>
}

const methods = [
  { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
  { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  { asset: 'USDC', network: 'erc-20', name: 'USD Coin' },
  { asset: 'USDT', network: 'trc-20', name: 'Tether' },
  { asset: 'XRP', network: 'ripple', name: 'XRP' },
  { asset: 'LTC', network: 'litecoin', name: 'Litecoin' },
  { asset: 'XLM', network: 'stellar', name: 'Stellar Lumens' },
]

/**
 * Opens the shop, and follows its payments until it is closed.
 *
 * @param environment - The service to use, or the sandbox.
 * @param origin - Of this shop, for payment links.
 * @param folder - Where orders and checkouts are kept. With the sandbox nothing is kept, because it
 *   also forgets its own orders.
 */
export function openShop(
  environment: Exclude<ServiceEnvironment, { kind: 'incomplete' }>,
  folder: string,
  log: (line: string) => void,
  origin = 'http://localhost:4242',
): Shop {
  const { service, simulated } = serviceOf(environment)
  const orders = openOrders(simulated ? ':memory:' : `${folder}/shop.sqlite`)
  const paywindow = createPaywindow({
    service,
    ...(simulated ? { store: createMemoryStore(), test: true } : { storePath: `${folder}/paywindow.sqlite` }),
    offer: offerFor(orders),
    page: { url: `${origin}/paywindow/pay`, script: '/paywindow.js', logo: '/lantern.svg' },
    // With the sandbox nothing outlives the process, links included.
    linkSecret: process.env.PAYWINDOW_DEMO_LINK_SECRET ?? randomBytes(32).toString('hex'),
    ...(simulated && { readArrival: sandboxArrival }),
    onStatusChange: (event) => settle(orders, event, log),
    onError: (error, { reference }) =>
      log(`paywindow: ${error.code}${reference ? `, ${reference}` : ''}: ${error.message}`),
  })
  const watching = paywindow.watch()
  const answer = createRoutes(orders, { simulated: simulated !== null }, paywindow)
  const simulate = simulated && createSimulationRoutes(simulated, paywindow, orders)
  function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/paywindow/')) return paywindow.fetch(request)
    if (simulate && pathname.startsWith('/simulate/')) return simulate(request)
    return answer(request)
  }
  return {
    fetch: (request) =>
      route(request).catch((error: unknown) => {
        console.error(error)
        return plain('Something went wrong in the shop.', 500)
      }),
    simulated,
    close: async () => {
      await watching.stop()
      await paywindow.close()
      orders.close()
    },
  }
}

function serviceOf(environment: Parameters<typeof openShop>[0]) {
  if (environment.kind === 'service') {
    const { kind: _, ...service } = environment
    return { service, simulated: null }
  }
  const simulated = createSimulatedService()
  return { service: simulated.service, simulated }
}

/** What a visitor may pay: their own order, at the price that the server knows. */
function offerFor(orders: Orders): OfferCallback {
  return ({ reference, request, link }) => {
    const merchant = { name: 'Lantern Books', supportUrl: 'https://lantern.example/help' }
    // Typed at the till, or at a link for gifts.
    if (link?.price) return { price: link.price, methods, merchant }
    const order = orders.byReference(reference)
    // Whoever has a link to an order may pay it.
    if (order === null || (!link && order.session !== readSession(request))) return null
    return {
      price: priceOf(order),
      methods,
      merchant: { ...merchant, returnUrl: new URL('/order', request.url).href },
      description: `Order ${order.number}`,
    }
  }
}
