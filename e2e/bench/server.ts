/** Serves the pages of the bench, and plays the merchant's server and Adyen's for all of them alike. */
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { encode } from 'uqr'
import { checkoutFixture } from '../../src/checkout/fixture.ts'
import { type Listening, listen } from '../../src/cli/listen.ts'
import { drawIcon, iconPath } from '../../src/sandbox/icons.ts'
import { sites } from './build.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
}
const files = new Map<string, Uint8Array<ArrayBuffer>>()

/** Files come as brotli, kept in memory; nothing is cached by the browser. */
export function serveSites(): Promise<Listening> {
  return listen(async (request) => {
    const { pathname } = new URL(request.url)
    return merchant(request.method, pathname) ?? adyen(pathname) ?? file(pathname)
  }, 0)
}

function merchant(method: string, path: string): Response | undefined {
  if (path.startsWith('/paywindow/icons/')) {
    const icon = drawIcon(iconPath('btc', 'small'))
    return new Response(icon ?? null, { headers: { 'content-type': 'image/png', 'cache-control': 'no-store' } })
  }
  if (!path.startsWith('/paywindow/checkouts')) return undefined
  const now = Date.now()
  // A checkout is named after the time it was created, so that it stays the same whenever it is asked for.
  const createdAt = method === 'POST' ? now : Number(path.slice('/paywindow/checkouts/c'.length))
  const checkout = checkoutFixture({
    id: `c${createdAt}`,
    reference: 'order-1042',
    asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/btc' },
    methodCount: 1,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(createdAt + 1_200_000).toISOString(),
    expiresInMs: createdAt + 1_200_000 - now,
  })
  return Response.json(method === 'POST' ? { ...checkout, key: 'k'.repeat(43) } : checkout, {
    headers: { 'cache-control': 'no-store' },
  })
}

/** What Adyen's component asks for beside its own files: a picture of the code, the status, texts and icons. */
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

function file(path: string): Response {
  const name = path.endsWith('/') ? `${path}index.html` : path
  const type = types[extname(name)]
  if (type === undefined || name.includes('..') || !existsSync(join(sites, name)))
    return new Response(null, { status: 404 })
  const body = files.get(name) ?? Uint8Array.from(brotliCompressSync(readFileSync(join(sites, name))))
  files.set(name, body)
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
