/** For tests: a server with two shops, and a browser in each of them. */
import { publicUrl, type ServerSetup, startServer } from '../server.testing.ts'
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

/** Starts the server with a desk for each shop. */
export async function openDesk({ env, ...setup }: ServerSetup = {}) {
  const [hash = '', teaHash = ''] = hashes
  const server = await startServer({
    ...setup,
    env: { PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: hash, PAYWINDOW_TEA_HOUSE_ADMIN_PASSWORD_HASH: teaHash, ...env },
  })
  const { sandbox, books, origin } = server

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
          ...(form && { origin: publicUrl, 'sec-fetch-site': 'same-origin' }),
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
    const here = url.replace(publicUrl, origin)
    const cookie = (await fetch(here)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const headers = {
      cookie,
      origin: publicUrl,
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

  return { ...server, browser, pay, deposit }
}
