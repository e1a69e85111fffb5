/** Mistakes of the page that servers draw, and of payment links, made on purpose. */
import { cartKind } from '../../../src/server/records/record-kinds.ts'
import { unbroken } from '../world/breakage.ts'
import type { Variant } from './variant.ts'

/** Enough readers without scripts for each of their stories to come twice. */
const readers = { carts: 4, plainCarts: 26 }

/** Variants with a mistake about pages. */
export const pageVariants = {
  previewShows: {
    what: 'shows the address to previews of a link',
    caughtBy: ['shown to strangers'],
    plan: readers,
    make: () => ({ ...unbroken, serverFetch: (fetch) => (request) => fetch(withCookieOfLink(request)) }),
  },
  getCreates: {
    what: 'creates an order for a GET',
    caughtBy: ['created without cause'],
    plan: readers,
    make: () => ({ ...unbroken, serverFetch: (fetch) => (request) => choosing(fetch, request) }),
  },
  revokedOpens: {
    what: 'opens a link that was revoked',
    caughtBy: ['shown to strangers'],
    plan: readers,
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        read: async (key) => {
          const record = await store.read(key)
          if (!record || !key.includes('cart ')) return record
          const { linkSeries: _, ...cart } = JSON.parse(record.value)
          return { version: record.version, ...cartKind.write(cart), key }
        },
      }),
    }),
  },
  anyLink: {
    what: 'takes every visitor for one with a link',
    caughtBy: ['shown to strangers'],
    plan: readers,
    make: () => ({
      ...unbroken,
      options: ({ offer, ...options }) => ({
        ...options,
        offer: (query) => offer({ ...query, link: { id: 'of nobody', expiresAtMs: 0 } }),
      }),
    }),
  },
  dropsTag: {
    what: 'draws no tag',
    caughtBy: ['wrong digits'],
    plan: readers,
    make: () => ({
      ...unbroken,
      answer: (text) => text.replace(/<fieldset class="pw-field" part="field" data-tone="must".*?<\/fieldset>/, ''),
    }),
  },
  staysForever: {
    what: 'draws an address that does not go when its quote is over',
    caughtBy: ['shown late'],
    plan: readers,
    make: () => ({ ...unbroken, answer: (text) => text.replaceAll(/animation:pw-hide [^}]*/g, '') }),
  },
  standsStill: {
    what: 'draws a page that is not loaded anew',
    caughtBy: ['stopped asking'],
    plan: readers,
    make: () => ({ ...unbroken, answer: (text) => text.replace(/<meta http-equiv="refresh"[^>]*>/, '') }),
  },
} satisfies Record<string, Variant>

/** The request as a browser sends it that has opened its link before. */
function withCookieOfLink(request: Request): Request {
  const token = new URL(request.url).searchParams.get('link')
  if (token === null) return request
  const headers = new Headers(request.headers)
  headers.append('cookie', `paywindow-link-${token.split('.')[1]?.slice(0, 12)}=${token}`)
  return new Request(request, { headers })
}

/** Presses the first button of a page before it is answered. */
async function choosing(fetch: (request: Request) => Promise<Response>, request: Request): Promise<Response> {
  const answer = await fetch(request)
  if (request.method !== 'GET') return answer
  const act = /name="act" value="(choose [^"]*)"/.exec(await answer.clone().text())?.[1]
  const headers = new Headers(request.headers)
  headers.set('origin', new URL(request.url).origin)
  headers.set('sec-fetch-site', 'same-origin')
  if (act !== undefined)
    await fetch(new Request(request.url, { method: 'POST', headers, body: new URLSearchParams({ act }) }))
  return answer
}
