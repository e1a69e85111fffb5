/** For tests: a server with two shops, and a browser in each of them. */
import { createSandbox } from '../../sandbox/sandbox.ts'
import { type Listening, listen } from '../../server/http/listen.ts'
import { createMemoryStore } from '../../server/store/memory.ts'
import type { Store } from '../../server/store/store.ts'
import { secrets, wholeFile } from '../config.testing.ts'
import { readConfig } from '../config.ts'
import { createServer, openShop } from '../server.ts'
import { hashPassword } from './password.ts'

/** Of both shops. */
export const passwords = { books: 'lantern-books-2026', tea: 'oolong-and-sencha' } as const
/** As cheap as a server takes. */
export const cheap = { log: 14, blocks: 8, parallel: 1 } as const
const hashes = await Promise.all(Object.values(passwords).map((password) => hashPassword(password, cheap)))

/** What a browser sends besides. */
interface Sent {
  readonly method?: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts the server. @param events - Where the shop is told of payments. */
export async function openDesk({
  events,
  env = {},
}: {
  readonly events?: string
  readonly env?: Record<string, string>
} = {}) {
  const sandbox = createSandbox({ subAccountIds: ['books', 'tea-house'] })
  const file = structuredClone(wholeFile) as unknown as { shops: { books: Record<string, unknown> } }
  Object.assign(file.shops.books, {
    service: 'sandbox',
    test: true,
    events: events === undefined ? undefined : { url: events, allowPrivate: true },
  })
  const config = readConfig(JSON.stringify({ ...file, publicUrl: 'http://localhost:4000' }), {
    ...secrets,
    PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: hashes[0],
    PAYWINDOW_TEA_HOUSE_ADMIN_PASSWORD_HASH: hashes[1],
    ...env,
  })
  const log: string[] = []
  const stores: Record<string, Store> = {}
  const shops = config.shops.map((shop) => {
    const store = createMemoryStore()
    stores[shop.name] = store
    const service = { ...sandbox.access, subAccountId: shop.name }
    return openShop(shop, config, { store, service, telemetry: undefined, log: (line) => log.push(line) })
  })
  const [first] = shops
  if (!first) throw new Error('the file has no shop')
  const books = first
  const listening: Listening = await listen(createServer(shops, 'file:///nowhere/'), { port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${listening.port}`

  /** A browser with a jar of cookies. */
  function browser(client = '198.51.100.9') {
    const jar = new Map<string, string>()
    async function go(path: string, { form, headers = {}, method = form ? 'POST' : 'GET' }: Sent = {}) {
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          'x-forwarded-for': client,
          ...(form && { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-origin' }),
          ...headers,
        },
        ...(form && { body: new URLSearchParams(form) }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      // `text()` would take the mark of UTF-8 away.
      const html = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
      return { response, status: response.status, html }
    }
    const tokenOf = (html: string) => /name="token" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? ''
    return {
      jar,
      go,
      signIn: (password: string = passwords.books, path = '/books/admin') =>
        go(path, { form: { act: 'sign-in', password } }),
      /** Presses something on a page, as its form sends it. */
      press: async (path: string, form: Readonly<Record<string, string>>) => {
        const { html } = await go(path)
        const known = /name="known" value="([0-9a-f]{64})"/.exec(html)?.[1]
        return go(path, { form: { token: tokenOf(html), ...(known !== undefined && { known }), ...form } })
      },
      tokenOf,
    }
  }

  let links = 0
  /** Opens a payment of the shop `books`, as its payer does. Resolves with the id. */
  async function pay(
    order: string,
    {
      number,
      amount = '49.90',
      coin = 'BTC bitcoin',
    }: { readonly number?: string; readonly amount?: string; readonly coin?: string } = {},
  ) {
    const { url } = await books.paywindow.link({
      reference: order,
      price: { asset: 'EUR', amount },
      validForMs: 86_400_000 + links++,
      ...(number !== undefined && { number }),
    })
    const here = url.replace('http://localhost:4000', origin)
    const cookie = (await fetch(here)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const headers = {
      cookie,
      origin: 'http://localhost:4000',
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': '203.0.113.7',
    }
    await fetch(here, {
      method: 'POST',
      body: `${new URLSearchParams({ act: `choose ${coin}` })}`,
      headers,
      redirect: 'manual',
    })
    await books.paywindow.settled()
    const [checkout] = await books.paywindow.checkouts.list({ reference: order, limit: 1 })
    return checkout?.id ?? ''
  }

  /** Payers deposit what is due for orders of the service, and the service confirms it. */
  async function deposit(...at: readonly number[]) {
    for (const { id, address, sourceAmount } of sandbox.orders().filter((_, index) => at.includes(index))) {
      sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
      sandbox.payer.confirm(id)
    }
    await books.paywindow.watchOnce()
    await books.paywindow.settled()
  }

  return {
    sandbox,
    books,
    stores,
    log,
    browser,
    pay,
    deposit,
    close: async () => {
      await listening.close()
      for (const { paywindow } of shops) await paywindow.close()
    },
  }
}
