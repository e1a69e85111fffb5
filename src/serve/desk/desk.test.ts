import { afterEach, describe, expect, it, vi } from 'vitest'
import { incomingOf } from '../../server/http/exchange.ts'
import { createMemoryStore } from '../../server/store/memory.ts'
import { systemClock } from '../../service/clock.ts'
import { cheap, openDesk, passwords } from './desk.testing.ts'
import { createDesk } from './desk.tsx'
import { hashPassword } from './password.ts'

const passwordHash = await hashPassword(passwords.books, cheap)

afterEach(() => void vi.useRealTimers())

/** Moves the clock on, and leaves timers as they are. */
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

describe('signing in', () => {
  it('opens the desk with the password alone, under a policy that lets nothing run', async () => {
    const { browser } = await openDesk()
    const { go, signIn, jar } = browser()
    const before = await go('/books/admin')
    expect([before.status, before.html]).toEqual([200, expect.stringContaining('<h1>Sign in</h1>')])
    const wrong = await signIn('wrong')
    expect([wrong.status, wrong.html, jar.size]).toEqual([403, expect.stringContaining('not the password'), 0])
    expect((await signIn(passwords.tea)).status).toBe(403)
    const right = await signIn()
    expect([right.status, right.response.headers.get('location')]).toEqual([303, '/books/admin'])
    expect(right.response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^paywindow-books-desk=[\w-]{43}; Max-Age=28800; Path=\/books\/admin; HttpOnly; SameSite=Strict$/,
      ),
    ])
    const { html, response } = await go('/books/admin')
    expect(html).toContain('<h1>Payments</h1>')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      ),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(html).not.toMatch(/<script|\son[a-z]+=|style="/)
    // A proxy may send `no-referrer`, under which browsers do not say that a form is from here.
    for (const page of [before.html, html]) expect(page).toContain('<meta name="referrer" content="same-origin"')
  })

  it('is in the log where it fails, with the address, without the password, and not without end', async () => {
    const { browser, log } = await openDesk()
    later(0)
    await browser().signIn('hunter2')
    expect(log).toEqual(['books: refused: a wrong password at the desk, from 198.51.100.9'])
    for (let at = 0; at < 12; at += 1) await browser().signIn('hunter2')
    expect(log).toHaveLength(10)
    expect(log.at(-1)).toMatch(/; no more of them are written in this minute$/)
    later(61_000)
    for (let at = 0; at < 2; at += 1) await browser().signIn('hunter2')
    expect(log.slice(10)).toEqual([
      'books: refused: a wrong password at the desk, from 198.51.100.9',
      'books: refused: too many tries to sign in at the desk, from 198.51.100.9',
    ])
    expect(log.join()).not.toContain('hunter2')
  })

  it('stands in the log beside requests of API and webhook that had not the secret', async () => {
    const { browser, log } = await openDesk()
    const { go } = browser()
    const payments = await go('/books/v1/payments?order=a', { headers: { authorization: 'Bearer hunter2' } })
    const webhook = await go('/books/webhook/hunter2', { method: 'POST' })
    expect([payments.status, webhook.status]).toEqual([401, 404])
    expect(log).toEqual([
      'books: refused: a request of the API had not the secret of the shop, from 198.51.100.9',
      'books: refused: a webhook had not the secret of the shop, from 198.51.100.9',
    ])
  })

  it('leads to the page that was asked for', async () => {
    const { browser } = await openDesk()
    const { go, signIn } = browser()
    const asked = '/books/admin/health?x=1'
    expect((await go(asked)).html).toContain(`action="${asked}"`)
    expect((await signIn(passwords.books, asked)).response.headers.get('location')).toBe(asked)
  })

  it('is limited, and says when to try again', async () => {
    const { browser } = await openDesk()
    const { signIn, jar } = browser()
    const tries = await Promise.all(Array.from({ length: 11 }, () => signIn('wrong')))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    const { status, html, response } = await signIn()
    expect([status, html, jar.size]).toEqual([429, expect.stringContaining('Too many tries. Wait 1 min'), 0])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    // What stands before the address that the proxy has written is the client's own word.
    expect((await browser('192.0.2.1, 198.51.100.9').signIn()).status).toBe(429)
    expect((await browser('198.51.100.2').signIn()).status).toBe(303)
  })

  it('is limited for no longer where the clock is set back', async () => {
    let [nowMs, monotonicMs] = [Date.now(), 0]
    const clock = { now: () => nowMs, monotonic: () => monotonicMs, sleep: systemClock.sleep }
    const send = senderTo({ report: (error) => expect.fail(String(error)), clock })
    const wrong = 'act=sign-in&password=wrong'
    for (let at = 0; at < 10; at += 1) expect(await send(wrong)).toBe(403)
    expect(await send(wrong)).toBe(429)
    nowMs -= 86_400_000
    monotonicMs += 60_000
    expect(await send(wrong)).toBe(403)
  })

  it('gives a new session, and ends the one that the browser had', async () => {
    const { browser } = await openDesk()
    const { go, signIn, jar } = browser()
    const name = 'paywindow-books-desk'
    jar.set(name, 'A'.repeat(43))
    await signIn()
    const first = jar.get(name) ?? ''
    expect(first).not.toBe('A'.repeat(43))
    await signIn()
    expect(jar.get(name)).not.toBe(first)
    jar.set(name, first)
    expect((await go('/books/admin')).html).toContain('Sign in')
  })

  it('is not there without a password', async () => {
    const without = await openDesk({ env: { PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: '' } })
    const { status, html } = await without.browser().signIn()
    expect([status, html]).toEqual([404, expect.stringContaining('This shop has no desk')])
  })
})

describe('a session', () => {
  it.each([
    ['half an hour without use', [30 * 60_000], false],
    ['less', [29 * 60_000, 29 * 60_000], true],
    ['eight hours of use', Array.from({ length: 24 }, () => 20 * 60_000), false],
  ])('after %s', async (_, waits, isThere) => {
    const { browser } = await openDesk()
    const { go, signIn } = browser()
    await signIn()
    for (const ms of waits.slice(0, -1)) {
      later(ms)
      expect((await go('/books/admin')).html).toContain('Payments')
    }
    later(waits.at(-1) ?? 0)
    expect((await go('/books/admin')).html.includes('<h1>Payments</h1>')).toBe(isThere)
  })

  it('is over once somebody has signed out, also for who kept its cookie', async () => {
    const { browser, stores } = await openDesk()
    const { go, signIn, press, jar } = browser()
    await signIn()
    const [kept = ''] = jar.values()
    const out = await press('/books/admin', { act: 'sign-out' })
    expect([out.status, jar.size]).toEqual([303, 0])
    jar.set('paywindow-books-desk', kept)
    expect((await go('/books/admin')).html).toContain('Sign in')
    expect(await stores.books?.listDue('desk', Number.MAX_SAFE_INTEGER, 10)).toEqual([])
  })

  it('is over with another password, and is nothing to another shop', async () => {
    const { browser, stores } = await openDesk()
    const { go, signIn, jar } = browser()
    await signIn()
    const [session = ''] = jar.values()
    jar.set('paywindow-tea-house-desk', session)
    expect((await go('/tea-house/admin')).html).toContain('Sign in')
    const other = await openDesk()
    const [record] = (await stores.books?.listDue('desk', Number.MAX_SAFE_INTEGER, 1)) ?? []
    if (record) await other.stores.books?.create({ ...record, labels: [] })
    const there = other.browser()
    there.jar.set('paywindow-books-desk', session)
    expect((await there.go('/books/admin')).html).toContain('Payments')
    const changed = await openDesk({
      env: {
        PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: await hashPassword('another', cheap),
      },
    })
    if (record) await changed.stores.books?.create({ ...record, labels: [] })
    const after = changed.browser()
    after.jar.set('paywindow-books-desk', session)
    expect((await after.go('/books/admin')).html).toContain('Sign in')
  })

  it('is stored without what opens it', async () => {
    const { browser, stores } = await openDesk()
    const { signIn, jar } = browser()
    await signIn()
    const stored = JSON.stringify(await stores.books?.listDue('desk', Number.MAX_SAFE_INTEGER, 10))
    expect(stored).toContain('desk ')
    for (const secret of [...jar.values(), passwords.books]) expect(stored).not.toContain(secret)
  })
})

/** Sends forms to a desk without a server. */
function senderTo(parts: Pick<Parameters<typeof createDesk>[0], 'report' | 'clock'>) {
  const url = new URL('http://localhost:4000/books/admin')
  const desk = createDesk({
    name: 'books',
    shop: 'Lantern Books',
    url,
    isTest: true,
    paywindow: {} as never,
    store: createMemoryStore(),
    told: async () => [],
    dealt: {} as never,
    hasEvents: false,
    passwordHash,
    clientKey: () => '198.51.100.9',
    refused: () => undefined,
    ...parts,
  })
  return async (body: BodyInit, type = 'application/x-www-form-urlencoded') => {
    const headers = { origin: url.origin, 'content-type': type }
    const sent = { method: 'POST', headers, body, duplex: 'half' }
    return (await desk(incomingOf(new Request(url, sent)), '')).status
  }
}

describe('a form', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sister of the site', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4001' }],
    ['a browser that hides its site', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['a host that leads here', { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example:4000' }],
    ['no browser', { 'sec-fetch-site': '', origin: '' }],
  ])('of %s does nothing', async (_, headers) => {
    const { browser, pay, books, sandbox } = await openDesk({ events: 'http://127.0.0.1:9/' })
    const id = await pay('order-1')
    const { go, signIn, tokenOf, jar } = browser()
    expect((await go('/books/admin', { form: { act: 'sign-in', password: passwords.books }, headers })).status).toBe(
      403,
    )
    expect(jar.size).toBe(0)
    await signIn()
    const token = tokenOf((await go('/books/admin')).html)
    for (const act of ['sign-out', 'tell', 'bind']) {
      const form = { act, id, order: sandbox.orders()[0]?.id ?? '', confirmed: 'yes', token }
      expect((await go(`/books/admin/payments/${id}`, { form, headers })).status).toBe(403)
    }
    expect((await go(`/books/admin/payments/${id}`)).html).toContain('<h1>order-1</h1>')
    expect((await books.paywindow.checkouts.get(id))?.order?.evidence).not.toBe('merchant')
  })

  it('that a proxy has taken the names of its site from says so', async () => {
    const { browser } = await openDesk()
    const form = { act: 'sign-in', password: passwords.books }
    const { html } = await browser().go('/books/admin', { form, headers: { 'sec-fetch-site': '', origin: '' } })
    expect(html).toContain('a proxy in front has to pass the headers Origin and Sec-Fetch-Site')
  })

  it.each(['tell', 'bind'])('to %s names a payment of its shop, or does nothing', async (act) => {
    const { browser, pay, sandbox, books, log, stores } = await openDesk({ events: 'http://127.0.0.1:9/' })
    const id = await pay('order-1')
    const order = sandbox.orders()[0]?.id ?? ''
    const tea = browser()
    await tea.signIn(passwords.tea, '/tea-house/admin')
    const own = browser()
    await own.signIn()
    const store = stores.books
    const read = store?.read
    if (store && read)
      store.read = async (key) => (key.includes('\0') ? Promise.reject(new Error('no text of a database')) : read(key))
    const token = tea.tokenOf((await tea.go('/tea-house/admin')).html)
    const there = await tea.go(`/tea-house/admin/payments/${id}`, { form: { act, id, order, token, confirmed: 'yes' } })
    expect([there.status, there.html]).toEqual([404, expect.not.stringContaining('order-1')])
    for (const forged of ['', '../order-1', '\0', '__proto__', id.toUpperCase(), 'x'.repeat(2_000)]) {
      const path = `/books/admin/payments/${id}`
      const form = { act, id: forged, order, token: own.tokenOf((await own.go(path)).html), confirmed: 'yes' }
      expect((await own.go(path, { form })).status).toBe(404)
    }
    expect((await books.paywindow.checkouts.get(id))?.order?.evidence).not.toBe('merchant')
    expect(log).toEqual([])
  })

  it('that never arrives whole, or is none, leaves nothing in the log', async () => {
    const log: unknown[] = []
    const send = senderTo({
      report: (error) => log.push(error),
      clock: { ...systemClock, sleep: async () => undefined },
    })
    expect(await send(new ReadableStream())).toBe(400)
    expect(await send('x'.repeat(5_000))).toBe(400)
    expect(await send('{}', 'application/json')).toBe(400)
    expect(log).toEqual([])
  })

  it('without the token of its session does nothing', async () => {
    const { browser, pay, sandbox, books } = await openDesk()
    const id = await pay('order-1')
    const one = browser()
    const other = browser()
    await one.signIn()
    await other.signIn()
    const path = `/books/admin/payments/${id}`
    const stolen = other.tokenOf((await other.go(path)).html)
    expect(stolen).toHaveLength(64)
    for (const token of ['', stolen, 'x'.repeat(64)]) {
      const form = { act: 'bind', id, order: sandbox.orders()[0]?.id ?? '', token }
      const { status, html } = await one.go(path, { form })
      expect([status, html]).toEqual([403, expect.stringContaining('This form is of another session')])
    }
    expect((await books.paywindow.checkouts.get(id))?.order?.evidence).not.toBe('merchant')
  })

  it('after the end of its session does nothing', async () => {
    const { browser, pay } = await openDesk()
    const path = `/books/admin/payments/${await pay('order-1')}`
    const { go, signIn, tokenOf } = browser()
    await signIn()
    const token = tokenOf((await go(path)).html)
    later(31 * 60_000)
    const { status, html } = await go(path, { form: { act: 'tell', token } })
    expect([status, html]).toEqual([403, expect.stringContaining('Your session has ended, and nothing was done')])
  })
})
