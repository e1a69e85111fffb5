/** For tests of pages: a shop with two coins, and a browser without scripts. */
import { bitcoin, createTestShop, type TestShop, type TestShopOptions, xrp } from '../server/shop.testing.ts'

/** What a browser says of a form that the page itself has sent. */
export const own = { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }

/** A shop that makes payment links, and admits who has one. */
export const linked: TestShopOptions = {
  page: { url: 'https://shop.example/paywindow/pay' },
  linkSecret: '0123456789abcdef0123456789abcdef',
  admits: ({ link }) => link !== undefined,
}

/** Creates a shop that takes two coins. */
export function createPageShop(options: TestShopOptions): TestShop {
  const shop = createTestShop(options)
  shop.sells({ methods: [bitcoin, xrp] })
  return shop
}

/** What a browser without scripts shows; empty where a page does not have it. */
export function pageOf(text: string) {
  const first = (pattern: RegExp) => pattern.exec(text)?.[1]?.replace(/<[^>]*>/g, '') ?? ''
  return {
    title: first(/<title>(.*?)<\/title>/),
    language: first(/<html lang="([^>]*)>/),
    heading: first(/<h2 class="pw-title"[^>]*>(.*?)<\/h2>/),
    amount: first(/<bdi class="pw-number"[^>]*>(.*?)<\/bdi>/),
    address: first(/<bdi class="pw-exact"[^>]*>(.*?)<\/bdi>/),
    preview: [...text.matchAll(/<meta (?:property|name)="((?:og|twitter|description)[^"]*)" content="([^"]*)"/g)].map(
      ([, name, content]) => `${name}=${content}`,
    ),
    refresh: first(/http-equiv="refresh" content="(\d+)"/),
    buttons: [...text.matchAll(/name="act" value="([^"]*)"/g)].map(([, value]) => value),
    id: first(/<form id="pw-act".*?name="id" value="([^"]*)"/),
  }
}

/**
 * A browser that keeps cookies: a function that loads the page, or presses a button of it.
 *
 * @param url - Of the page.
 */
export function browserAt(shop: TestShop, url: string) {
  let cookie = ''
  return async (act?: string, fields: Record<string, string> = {}) => {
    const headers = { ...own, ...(cookie && { cookie }) }
    const body = act === undefined ? undefined : new URLSearchParams({ act, ...fields })
    const answer = await shop.run(
      shop.paywindow.fetch(new Request(url, { headers, ...(body && { method: 'POST', body }), redirect: 'manual' })),
    )
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    const text = await answer.text()
    return { answer, cookie, text, page: pageOf(text) }
  }
}
