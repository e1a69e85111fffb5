/**
 * The shop's own routes: a visitor's cart and order, as pages and as JSON for the React storefront.
 */
import { randomBytes } from 'node:crypto'
import type { PaywindowServer } from 'paywindow/server'
import { parseQuantity, withQuantity } from './catalog.ts'
import { serveFile } from './files.ts'
import { drawnPage, json, page, plain, seeOther } from './headers.ts'
import { viewOf } from './order-view.ts'
import { type Order, type Orders, referenceOf, tillOf } from './orders.ts'
import { handoverPage, linkPage, orderPage, type PageContext, plainPage, reactPage } from './pages.ts'
import { newSession, readSession } from './session.ts'

const weekMs = 7 * 86_400_000

const till = { by: 'cashier', title: 'Lantern Books, till 1', asset: 'EUR', min: '0.50', max: '500' } as const

type Route = (request: Request, order: Order) => Response | Promise<Response>

/** Answers every path but those of Paywindow and of the simulated payer. */
export function createRoutes(
  orders: Orders,
  context: PageContext,
  paywindow: Pick<PaywindowServer, 'html' | 'link'>,
): (request: Request) => Promise<Response> {
  const pages: Readonly<Record<string, (order: Order) => string>> = {
    '/': (order) => plainPage(order, context),
    '/react': (order) => reactPage(order, context, 'production'),
    '/react-dev': (order) => reactPage(order, context, 'development'),
    '/order': (order) => orderPage(order, context),
  }
  const actions: Readonly<Record<string, Route>> = {
    'GET /drawn': async (request, order) => {
      const nonce = randomBytes(16).toString('base64url')
      const target = { endpoint: '/paywindow', reference: referenceOf(order), handoverUrl: '/pay', locale: 'en' }
      return drawnPage(plainPage(order, context, await paywindow.html(request, { ...target, nonce })), nonce)
    },
    'POST /link': async (_, order) =>
      page(linkPage(order, await paywindow.link({ reference: referenceOf(order), validForMs: weekMs }))),
    'POST /till': async (request, order) => {
      const { origin } = new URL(request.url)
      const { url } = await paywindow.link({ reference: tillOf(order), validForMs: weekMs, asks: till })
      return seeOther(`${origin}${new URL(url).pathname}${new URL(url).search}`)
    },
    'GET /api/order': (_, order) => json(viewOf(order)),
    'POST /cart': async (request, order) => {
      const form = await readForm(request)
      changeCart(orders, order, form)
      return wantsJson(request) ? json(viewOf(orders.current(order.session))) : seeOther('/')
    },
    'POST /order/new': (request, order) => {
      const started = orders.start(order.session)
      return wantsJson(request) ? json(viewOf(started)) : seeOther('/')
    },
  }
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/pay' && request.method === 'GET') return page(handoverPage())
    const session = readSession(request)
    const render = pages[pathname]
    if (render !== undefined && request.method === 'GET') {
      if (session !== null) return page(render(orders.current(session)))
      const visit = newSession(request)
      return page(render(orders.current(visit.session)), visit.cookie)
    }
    const route = actions[`${request.method} ${pathname}`]
    if (route !== undefined) {
      return session === null
        ? plain('Your visit has ended. Please open the shop again.', 403)
        : route(request, orders.current(session))
    }
    return (request.method === 'GET' ? await serveFile(pathname) : null) ?? plain('There is nothing here.', 404)
  }
}

/**
 * Changes how many copies are ordered, as long as that can still change. Invalid values change
 * nothing.
 */
function changeCart(orders: Orders, order: Order, form: URLSearchParams): void {
  const quantity = parseQuantity(form.get('quantity'))
  if (order.state !== 'open' || quantity === null) return
  const changed = withQuantity(order.cart, form.get('book') ?? '', quantity)
  if (changed !== null) orders.setCart(order.number, changed)
}

async function readForm(request: Request): Promise<URLSearchParams> {
  // A form of this shop has two short fields. Browsers do not send the session cookie with a form
  // of another site.
  const text = await request.text()
  return new URLSearchParams(text.length > 1000 ? '' : text)
}

function wantsJson(request: Request): boolean {
  return request.headers.get('accept') === 'application/json'
}
