/**
 * `paywindow check --page` reads a Content-Security-Policy as a browser does, and knows the files
 * of a build.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { checkPage } from '../src/cli/check-page.ts'
import { blockedBy, type Loaded, policiesIn } from '../src/cli/page-policy.ts'

const code = 'ran.push(document.currentScript.id)'
const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
const integrity = hashOf(code)

const pages = ['https://shop.example/cart', 'http://shop.example/cart']
const places = [
  'https://shop.example/a.js',
  'https://shop.example/lib/a.js',
  'https://shop.example:8443/a.js',
  'https://cdn.shop.example/a.js',
  'https://other.example/a.js',
  'https://other.example/lib/a%20b.js',
  'https://other.example/lib/a%zzb.js',
]
/** For pages without https, on which browsers allow more. */
const unencrypted = ['http://shop.example/a.js', 'http://shop.example:8080/a.js', 'http://other.example/a.js']

const sources = [
  '',
  "'none'",
  "'self'",
  "'SELF'",
  '*',
  'https:',
  'http:',
  'HTTPS:',
  'data:',
  'shop.example',
  'SHOP.example',
  '*.shop.example',
  '*.example',
  'https://*.shop.example',
  'shop.example:*',
  'shop.example:8443',
  'shop.example:443',
  'shop.example:80',
  'https://shop.example',
  'http://shop.example',
  'https://shop.example/',
  'https://shop.example/lib/',
  'https://shop.example/lib',
  'https://shop.example/a.js',
  'other.example/lib/a%20b.js',
  'other.example/lib/a%zzb.js',
  'other.example/%zz/',
  'https://other.example:443',
  'http://other.example:80',
  'https://*:8443',
  "'nonce-abc'",
  "'nonce-other' https:",
  "'nonce-abc' 'strict-dynamic' https:",
  `'${integrity}'`,
  `'${integrity}' 'strict-dynamic' 'self'`,
  `'${hashOf('')}'`,
  "'unsafe-inline'",
  "'none' 'self'",
]
const policies = [
  ...sources.map((each) => `script-src ${each}; connect-src ${each}; img-src ${each}`),
  ...["'self'", 'https:', ''].map((each) => `default-src ${each}`),
  "default-src 'none'; script-src-elem *; script-src 'none'; img-src *",
  "script-src 'self', script-src https:",
  "img-src 'none'; IMG-SRC *; Connect-Src *",
  'frame-src *',
]

for (const url of pages)
  test(`as Chromium on ${url}`, async ({ page }) => {
    const all = url.startsWith('https') ? places : [...places, ...unencrypted]
    const loaded = all.flatMap((place): Loaded[] => [
      { kind: 'script', url: new URL(place) },
      { kind: 'script', url: new URL(place), nonce: 'abc' },
      { kind: 'script', url: new URL(place), integrity },
      { kind: 'connect', url: new URL(place) },
      { kind: 'img', url: new URL(place) },
    ])
    const differing = []
    for (const policy of policies) {
      const allowed = await loadedBy(page, url, policy, loaded)
      const read = policiesIn(policy)
      for (const [at, each] of loaded.entries()) {
        const said = blockedBy(read, each, new URL(url)) === undefined
        if (said !== allowed.has(String(at))) differing.push({ policy, ...each, url: each.url.href, said })
      }
    }
    expect(differing).toEqual([])
  })

test('both files of the script are of one build, or it says that they are not', async () => {
  const checked = async (change: (code: string) => string) => {
    const found = await checkPage('https://shop.example/paywindow', new URL('https://shop.example/'), async (url) => {
      const { pathname } = new URL(url)
      const isPage = pathname === '/'
      const file = isPage ? '' : readFileSync(new URL(`../dist${pathname}`, import.meta.url), 'utf8')
      const headers = new Headers({ 'content-type': isPage ? 'text/html' : 'text/javascript' })
      const text = isPage ? '<script src="/paywindow.js"></script>' : change(file)
      return { url, status: 200, headers, text, json: undefined }
    })
    return found.map(({ check, result }) => `${result} ${check}`)
  }
  expect(await checked((file) => file)).toEqual(['ok Script', 'ok Script', 'ok Page'])
  const ofAnother = (file: string) => file.replace(/^export const \w+/, 'export const of01234567')
  expect(await checked(ofAnother)).toEqual(['ok Script', 'wrong Script', 'ok Page'])
})

/** Indexes of the places that the browser loaded. */
async function loadedBy(
  page: Page,
  url: string,
  policy: string,
  loaded: readonly Loaded[],
): Promise<ReadonlySet<string>> {
  const icon = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const scripts = loaded.map(({ kind, url: { href }, nonce, integrity: hash }, at) =>
    kind === 'script'
      ? `<script id="${at}" src="${href}" crossorigin ${nonce ? `nonce="${nonce}"` : ''} ${hash ? `integrity="${hash}"` : ''}></script>`
      : '',
  )
  await page.unrouteAll()
  await page.route('**/*', (route) => {
    const request = route.request()
    if (request.resourceType() === 'document')
      return route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': policy },
        body: `<!doctype html><link rel="icon" href="data:,">${scripts.join('')}`,
      })
    const isImage = request.resourceType() === 'image'
    return route.fulfill({
      contentType: isImage ? 'image/svg+xml' : 'text/javascript',
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
      body: isImage ? icon : code,
    })
  })
  await page.addInitScript(() => Object.assign(window, { ran: [] }))
  await page.goto(url)
  const others = loaded.map(({ kind, url: { href } }) => ({ kind, href }))
  return new Set(await page.evaluate(tryAll, others))
}

/** In the page. */
async function tryAll(others: readonly { readonly kind: string; readonly href: string }[]): Promise<string[]> {
  const tries = others.map(async ({ kind, href }, at) => {
    if (kind === 'script') return (window as unknown as { ran: string[] }).ran.includes(String(at))
    if (kind === 'connect')
      return fetch(href).then(
        () => true,
        () => false,
      )
    const image = new Image()
    image.src = href
    return image.decode().then(
      () => true,
      () => false,
    )
  })
  const worked = await Promise.all(tries)
  return worked.flatMap((works, at) => (works ? [String(at)] : []))
}
