/** Serves each panel in its page, and plays the merchant's server and Adyen's for all alike. */
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PNG } from 'pngjs'
import { encode } from 'uqr'
import { checkoutFixture } from '../../src/checkout/fixture.ts'
import { type Listening, listen } from '../../src/cli/listen.ts'
import type { Checkout, Initial } from '../../src/contract/checkout.ts'
import { openOrders } from '../../src/demo/orders.ts'
import { createRoutes } from '../../src/demo/routes.ts'
import { drawIcon, iconPath } from '../../src/sandbox/icons.ts'
import { sites, withPanel } from './build.ts'
import { pathOf, type Target, targets } from './targets.ts'

/** As it is built: Node does not run components. */
const { drawElement }: typeof import('../../src/page/index.ts') = await import(
  new URL('../../dist/paywindow-page.js', import.meta.url).href
)

const html = { 'content-type': 'text/html; charset=utf-8' }
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': html['content-type'],
  '.js': 'text/javascript',
}
const shop = createRoutes(
  openOrders(':memory:'),
  { simulated: false },
  {
    html: async () => '',
    link: () => Promise.reject(new Error('the pages of the bench have no link')),
  },
)
const coded = new Map<string, Uint8Array<ArrayBuffer>>()

/** A page with nothing but the widget, as a merchant writes it. */
const emptyPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pay</title><link rel="icon" href="data:,"><script src="/paywindow.js" defer></script></head><body><div class="pay">
<pay-window endpoint="/paywindow" reference="order-1042"></pay-window>
</div></body></html>`

/** Serves all pages. Files are encoded as brotli, and the browser caches nothing. */
export function serveSites(): Promise<Listening> {
  return listen(async (request) => {
    const { pathname } = new URL(request.url)
    return (await merchant(request, pathname)) ?? adyen(pathname) ?? file(pathname) ?? ofShop(request, pathname)
  }, 0)
}

async function merchant(request: Request, path: string): Promise<Response | undefined> {
  if (path.startsWith('/paywindow/icons/')) {
    const icon = drawIcon(iconPath('btc', 'small'))
    return new Response(icon ?? null, { headers: { 'content-type': 'image/png', 'cache-control': 'no-store' } })
  }
  if (!path.startsWith('/paywindow/checkouts')) return undefined
  const isNew = request.method === 'POST'
  const now = Date.now()
  const [createdAt = 0, reference = ''] = isNew
    ? [now, await referenceIn(request)]
    : [Number(path.split('/').at(-1)?.split('.')[0]), path.split('.')[1]]
  const checkout = checkoutOf(reference, createdAt, now)
  return Response.json(isNew ? { ...checkout, key: 'k'.repeat(43) } : checkout, {
    headers: { 'cache-control': 'no-store' },
  })
}

/**
 * The panel in the page's HTML, as the merchant's server draws it. Only this page is so large that
 * servers compress it.
 */
function pageOf(text: string, { panel }: Target, headers: Record<string, string> = {}): Response {
  if (panel !== 'drawn') return new Response(text, { headers: { ...html, ...headers } })
  const drawn = text.replace(/<pay-window [^>]*reference="([^"]*)".*?<\/pay-window>/s, (_, reference: string) =>
    drawElement({ endpoint: '/paywindow', reference, languages: 'en', initial: initialOf(reference) }),
  )
  const body = Uint8Array.from(brotliCompressSync(drawn, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
  return new Response(body, { headers: { ...html, ...headers, 'content-encoding': 'br' } })
}

function initialOf(reference: string): Initial {
  const now = Date.now()
  return { v: 1, writtenAtMs: now, isHeld: false, checkout: checkoutOf(reference, now, now) }
}

function checkoutOf(reference: string, createdAt: number, now: number): Checkout {
  return checkoutFixture({
    // Contains its cart and its time, so each request for it gets the same checkout.
    id: `${createdAt}.${reference}`,
    reference,
    asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/btc' },
    methodCount: 1,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(createdAt + 1_200_000).toISOString(),
    expiresInMs: createdAt + 1_200_000 - now,
  })
}

async function referenceIn(request: Request): Promise<string> {
  const { reference }: { reference?: string } = await request.json()
  return reference ?? ''
}

/** Answers other requests of Adyen's component: a picture of the code, the status, texts, icons. */
function adyen(path: string): Response | undefined {
  if (!path.startsWith('/adyen-mock/')) return undefined
  if (path.includes('barcode')) return new Response(codePicture, { headers: { 'content-type': 'image/png' } })
  if (path.endsWith('/status')) return Response.json({ payload: '', resultCode: 'pending', type: 'pending' })
  if (path.endsWith('.svg')) {
    const text = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="26"><path d="M0 0h40v26H0z"/></svg>'
    return new Response(text, { headers: { 'content-type': 'image/svg+xml' } })
  }
  return Response.json({})
}

/** Returns a file that was built for the benchmark; undefined if there is none. */
function file(path: string): Response | undefined {
  const type = types[extname(path)]
  const place = join(sites, path)
  if (type === undefined || path.includes('..') || !existsSync(place)) return undefined
  return inBrotli(path, readFileSync(place), type)
}

/** Returns a page with a panel, or another file of the shop. Some peers would break its policy. */
async function ofShop(request: Request, path: string): Promise<Response> {
  const target = targets.find((candidate) => path === pathOf(candidate))
  if (target?.page === 'alone') return pageOf(withPanel(emptyPage, target), target)
  const answer = await shop(target ? new Request(new URL('/', request.url), request) : request)
  if (target) {
    const cookie = answer.headers.get('set-cookie') ?? ''
    return pageOf(withPanel(await answer.text(), target), target, { 'set-cookie': cookie })
  }
  const type = answer.headers.get('content-type') ?? ''
  return answer.ok && type !== 'application/json' ? inBrotli(path, await answer.bytes(), type) : answer
}

function inBrotli(path: string, content: Uint8Array, type: string): Response {
  const body = coded.get(path) ?? Uint8Array.from(brotliCompressSync(content))
  coded.set(path, body)
  return new Response(body, {
    headers: { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-store' },
  })
}

const codePicture = drawCode('00020126580014br.gov.bcb.pix0136123e4567-e89b-12d3-a456-426614174000')

function drawCode(text: string): Uint8Array<ArrayBuffer> {
  const { data, size } = encode(text)
  const scale = 5
  const png = new PNG({ width: size * scale, height: size * scale })
  for (let y = 0; y < png.height; y += 1) {
    for (let x = 0; x < png.width; x += 1) {
      const value = data[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 0 : 255
      png.data.set([value, value, value, 255], (y * png.width + x) * 4)
    }
  }
  return Uint8Array.from(PNG.sync.write(png))
}
