import { createServer } from 'node:http'
import { parse } from 'parse5'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPort } from '../../server/http/listen.ts'
import { secrets } from '../config.testing.ts'
import { openDesk, passwords } from './desk.testing.ts'

type Desk = Awaited<ReturnType<typeof openDesk>>
let desk: Desk
let answer: number
let told: string[]
let go: ReturnType<Desk['browser']>['go']
let press: ReturnType<Desk['browser']>['press']

beforeEach(async () => {
  told = []
  answer = 204
  const shop = createServer((request, response) => {
    told.push(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(answer).end()
  })
  onTestFinished(() => void shop.close())
  const port = await openPort(shop, { port: 0, host: '127.0.0.1' })
  desk = await openDesk({ events: `http://127.0.0.1:${port}/events` })
  const browser = desk.browser()
  await browser.signIn()
  ;({ go, press } = browser)
})
/** Of nobody at the desk. */
const otherOrder = {
  sourceAsset: 'ETH',
  targetAsset: 'EUR',
  network: 'erc-20',
  targetAmount: '7',
  subAccountId: 'books',
} as never

/** The text of a page, as it is read. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ')
  return body.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll(/\s+/g, ' ')
}
const list = async (query = '') => textOf((await go(`/books/admin${query}`)).html)
const story = async (id: string) => textOf((await go(`/books/admin/payments/${id}`)).html)
const csv = async (query = '') => (await go(`/books/admin/payments.csv${query}`)).html

describe('the list', () => {
  it('has first what waits for a person, then the newest, and a row for each order', async () => {
    expect(await list()).toMatch(/Nothing waits for you\. There are no payments yet\./)
    await desk.pay('order-1', { number: '2026/0001' })
    await desk.pay('order-2', { number: '2026/0002' })
    await desk.deposit(0)
    expect(await list()).toMatch(
      /Nothing waits for you\. Newest.*2026\/0002 Waits for the payer 49\.90 EUR.*2026\/0001 Paid 49\.90 EUR 49\.9 EUR/,
    )
  })

  it('finds what was paid twice also behind the first 2,000 payments', async () => {
    await desk.pay('order-1')
    await desk.deposit(0)
    const { checkouts } = desk.books.paywindow
    const [paid] = await checkouts.list()
    if (!paid) throw new Error('nothing is paid')
    const all = Array.from({ length: 2_500 }, (_, at) => {
      const id = `0mx${String(9_999 - at)}`
      return at > 2_400 ? { ...paid, id, reference: 'twice' } : { ...paid, id, reference: `once-${at}` }
    })
    checkouts.list = async ({ before = 'z', limit = 100 } = {}) =>
      all.filter(({ id }) => id < before).slice(0, Math.min(limit, 1_000))
    expect(await list('?only=paid-twice')).toContain('Nothing was found.')
    const [, next = ''] =
      /href="\/books\/admin(\?[^"]*before=[^"]*)"/.exec((await go('/books/admin?only=paid-twice')).html) ?? []
    expect(await list(next.replaceAll('&amp;', '&'))).toMatch(/Found .* Paid twice/)
  })

  it('finds what the command finds', async () => {
    await desk.pay('order-1', { number: '2026/0001' })
    await desk.pay('order-2', { number: '2026/0002', amount: '1.00' })
    await desk.deposit(1)
    const found = async (query: string) => (await list(query)).match(/2026\/000\d/g) ?? []
    expect(await found('?only=paid')).toEqual(['2026/0002'])
    expect(await found('?search=2026/0001')).toEqual(['2026/0001'])
    expect(await found('?search=1.00&only=open')).toEqual([])
    expect(await found('?from=2020-01-01&to=2020-12-31')).toEqual([])
    expect(await found('?from=2020-01-01&to=')).toEqual(['2026/0002', '2026/0001'])
    expect(await found('?only=attention')).toEqual([])
    for (const query of ['?only=everything', '?only=constructor', '?from=yesterday', '?before=%00', '?before=a/b'])
      expect((await go(`/books/admin${query}`)).status).toBe(400)
  })

  it('shows texts of shops and payers as texts, on every page', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    const id = await desk.pay(evil, { number: "</title><a href='javascript:x'>" })
    await desk.deposit(0)
    for (const path of [
      '/books/admin',
      `/books/admin?search=${encodeURIComponent(evil)}`,
      `/books/admin/payments/${id}`,
      `/books/admin/health?${encodeURIComponent(evil)}`,
    ]) {
      const { html } = await go(path)
      const seen: string[] = []
      const visit = (node: { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: unknown[] }) => {
        seen.push(node.nodeName, ...(node.attrs ?? []).map(({ name, value }) => `${name}=${value}`))
        for (const child of node.childNodes ?? []) visit(child as typeof node)
      }
      visit(parse(html) as never)
      expect(seen).not.toContain('script')
      expect(seen).not.toContain('img')
      expect(seen.filter((each) => /^on|^href=javascript|^style=/.test(each))).toEqual([])
    }
    expect(await story(id)).toContain(evil)
  })
})

describe('the file for the accountant', () => {
  it('has what was paid, to every digit, as Excel reads it', async () => {
    await desk.pay('order-1', { number: '2026/0001', amount: '1000000.10' })
    await desk.pay('order-2')
    await desk.deposit(0)
    const text = await csv()
    expect(text.startsWith('\ufeffid,reference,status,price,price_asset,')).toBe(true)
    const [head = [], ...rows] = text
      .slice(1)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const named = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])))
    expect(named[1]).toMatchObject({
      order_number: '2026/0001',
      price: '1000000.10',
      price_asset: 'EUR',
      received: '1000000.1',
      received_asset: 'EUR',
      received_deposit_asset: 'BTC',
      paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      phase: 'paid',
    })
    expect(named[0]).toMatchObject({ paid_at: '', received: '', phase: 'waiting' })
    expect((await csv('?only=paid')).trimEnd().split('\r\n')).toHaveLength(2)
    const { response } = await go('/books/admin/payments.csv?from=2020-01-01&to=2020-12-31')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="payments-2020-01-01-2020-12-31.csv"',
    )
    expect((await desk.browser().go('/books/admin/payments.csv')).html).toContain('Sign in')
  })

  it.each(['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(1)'])('has no formula: %s', async (order) => {
    await desk.pay(order, { number: order })
    const cells = (await csv()).split('\r\n')[1]?.match(/'[=+@-]|,[=+@-]|"[=+@-]/g)
    expect(cells).toEqual([`'${order[0]}`, `'${order[0]}`])
  })
})

describe('the story of a payment', () => {
  it('has each quote, what came, and what the shop was told by which event', async () => {
    const id = await desk.pay('order-1', { number: '2026/0001' })
    const [order] = desk.sandbox.orders()
    await desk.deposit(0)
    const text = await story(id)
    for (const part of [
      '2026/0001 Paid',
      `The payer was asked for ${order?.sourceAmount} BTC bitcoin, to ${order?.address}`,
      'Paid: the service has confirmed it',
      `Your shop was told: payment.paid Event ${told[0]}`,
      `At the service ${order?.id}`,
      'Never use the address that was paid to',
    ])
      expect(text).toContain(part)
    expect((await go('/books/admin/payments/0kx1m2n3p4abcdefghjk')).status).toBe(404)
  })

  it('says why the shop was not told, and tells it again under the same id', async () => {
    answer = 500
    const id = await desk.pay('order-1')
    await desk.deposit(0)
    expect(await story(id)).toContain(
      `Your shop could not be told: payment.paid The shop answered 500, not 2xx. Event ${told[0]}`,
    )
    answer = 204
    const { status, response } = await press(`/books/admin/payments/${id}`, { act: 'tell', id })
    expect([status, response.headers.get('location')]).toEqual([303, `/books/admin/payments/${id}?done=told`])
    await desk.books.paywindow.settled()
    for (const strange of ['__proto__', 'constructor'])
      expect((await go(`/books/admin/payments/${id}?done=${strange}`)).html).not.toContain('class="said"')
    const text = await story(`${id}?done=told`)
    expect(text).toContain('Your shop is told again within a few seconds.')
    expect(text).toContain(`Your shop was told: payment.paid Event ${told[0]}, 2 times`)
    expect(new Set(told).size).toBe(1)
  })

  it('says where there is nothing to tell', async () => {
    const id = await desk.pay('order-1')
    const { status, html } = await press(`/books/admin/payments/${id}`, { act: 'tell', id })
    expect([status, html]).toEqual([409, expect.stringContaining('there is nothing to deliver')])
  })

  it('binds another order once it is confirmed that it is the one', async () => {
    const id = await desk.pay('order-1')
    const other = desk.sandbox.addOrder(otherOrder)
    const path = `/books/admin/payments/${id}`
    const unknown = await press(path, { act: 'bind', id, order: 'nothing' })
    expect([unknown.status, unknown.html]).toEqual([
      409,
      expect.stringContaining('Order nothing cannot be read from the service'),
    ])
    const refused = await press(path, { act: 'bind', id, order: ` ${other.id} ` })
    expect(refused.status).toBe(409)
    expect(textOf(refused.html)).toMatch(
      /This order does not seem to be it Order \S+ does not seem to be checkout \S+'s: [^:]+\. It is this order anyway/,
    )
    expect(refused.html).not.toContain('npx paywindow')
    expect((await desk.books.paywindow.checkouts.get(id))?.order?.id).not.toBe(other.id)
    const bound = await press(path, { act: 'bind', id, order: other.id, confirmed: 'yes' })
    expect([bound.status, bound.response.headers.get('location')]).toEqual([303, `${path}?done=bound`])
    expect(await desk.books.paywindow.checkouts.get(id)).toMatchObject({
      order: { id: other.id, evidence: 'merchant' },
    })
    expect(await story(`${id}?done=bound`)).toContain('The order is this payment’s now')
  })

  it('binds no order of another shop at the same service, whoever confirms it', async () => {
    const id = await desk.pay('order-1')
    const before = await desk.books.paywindow.checkouts.get(id)
    const { id: order } = desk.sandbox.addOrder({
      sourceAsset: 'BTC',
      targetAsset: 'EUR',
      network: 'bitcoin',
      targetAmount: '49.90',
      subAccountId: 'tea-house',
    } as never)
    for (const confirmed of ['', 'yes']) {
      const { status, html } = await press(`/books/admin/payments/${id}`, { act: 'bind', id, order, confirmed })
      expect([status, html]).toEqual([409, expect.stringContaining('cannot be read from the service')])
      expect(html).not.toMatch(/tea-house|this order anyway/)
    }
    expect(await desk.books.paywindow.checkouts.get(id)).toEqual(before)
  })

  it('says what to do where an order was paid twice, and lists it first', async () => {
    await desk.pay('order-1', { coin: 'BTC bitcoin' })
    const second = await desk.pay('order-1', { coin: 'USDC base' })
    await desk.pay('order-2')
    await desk.deposit(0, 1)
    expect(await list()).toMatch(/Waits for you .* order-1 Paid twice .* Newest .* order-2 Waits for the payer/)
    const text = await story(second)
    for (const part of [
      'This order was paid more than once',
      'Send the goods once',
      'Paid in all 2 times',
      'payment.paid_twice',
    ])
      expect(text).toContain(part)
  })

  it('still waits where something new has happened since the page was loaded', async () => {
    const first = await desk.pay('order-1', { coin: 'BTC bitcoin' })
    await desk.pay('order-1', { coin: 'USDC base' })
    await desk.deposit(0, 1)
    const page = `/books/admin/payments/${first}`
    const known = /name="known" value="(\w+)"/.exec((await go(page)).html)?.[1] ?? ''
    const { id: order } = desk.sandbox.addOrder(otherOrder)
    await press(page, { act: 'bind', id: first, order, confirmed: 'yes' })
    const { status, html } = await press(page, { act: 'deal', id: first, known })
    expect([status, html]).toEqual([409, expect.stringContaining('Something new has happened')])
    expect(await list('?only=attention')).toContain('order-1')
    await press(page, { act: 'deal', id: first })
    expect(await list('?only=attention')).toContain('Nothing was found.')
  })

  it('waits no more once it was dealt with, until it is to wait again', async () => {
    const first = await desk.pay('order-1', { coin: 'BTC bitcoin' })
    await desk.pay('order-1', { coin: 'USDC base' })
    await desk.deposit(0, 1)
    const page = `/books/admin/payments/${first}`
    const deal = (act: string) => press(page, { act, id: first })
    expect(await story(first)).toContain('I have dealt with this')
    expect((await deal('deal')).response.headers.get('location')).toBe(`${page}?done=dealt`)
    expect(await list()).toMatch(/Nothing waits for you\. Newest.* order-1 Paid twice/)
    expect(await list('?only=attention')).toContain('Nothing was found.')
    const text = await story(`${first}?done=dealt`)
    expect(text).toMatch(/is off the list.* Dealt with: .* Put it back on the list/)
    expect(text).not.toContain('Send the goods once')
    await deal('wait')
    expect(await list()).not.toContain('Nothing waits')
  })
})

it('says how the server is, in words', async () => {
  const text = textOf((await go('/books/admin/health')).html)
  expect(text).toMatch(/Records Good Payments can be read and written\./)
  expect(text).toMatch(/Following Not now No process looks after payments/)
})

it('shows no secret on any page, and no link to pay', async () => {
  const id = await desk.pay('order-1')
  await desk.deposit(0)
  for (const path of ['', '/payments.csv', '/health', `/payments/${id}`, '/nothing']) {
    const { html } = await go(`/books/admin${path}`)
    for (const secret of [...Object.values(secrets), ...Object.values(passwords), 'scrypt', 'link='])
      expect(html).not.toContain(secret)
  }
})

it('fails in words, and logs why', async () => {
  const { books } = desk.stores
  if (books) books.list = async () => Promise.reject(new Error('the disk is full'))
  const { status, html } = await go('/books/admin')
  expect([status, html]).toEqual([500, expect.stringContaining('The log of the server says why')])
  expect(html).not.toContain('disk')
  expect(desk.log).toContainEqual(expect.stringMatching(/^books: the desk failed: .*the disk is full/))
})

it.each(['/books/admin/nothing', '/books/admin/payments/a/b', '/books/admin/payments/..%2f..'])(
  '%s is no page',
  async (path) => expect((await go(path)).status).toBe(404),
)

it('takes no other methods', async () => {
  const { status, html, response } = await go('/books/admin', { method: 'DELETE' })
  expect([status, html]).toEqual([405, expect.stringContaining('Open this page in a browser')])
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
})
