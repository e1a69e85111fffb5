import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, seededRandom } from '../sandbox/index.ts'
import { openPort } from './http/listen.ts'
import { createPaywindow, toNodeListener } from './node.ts'
import { cartOffer } from './shop.testing.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${await openPort(server, { port: 0, host: '127.0.0.1' })}`
}

function shop(folder: string, more: Partial<Parameters<typeof createPaywindow>[0]> = {}) {
  const sandbox = createSandbox({ random: seededRandom(1) })
  const paywindow = createPaywindow({
    service: { ...sandbox.access },
    storePath: join(folder, 'deep', 'paywindow.sqlite'),
    test: true,
    offer: () => cartOffer,
    ...more,
  })
  onTestFinished(async () => void (await paywindow.close()))
  return { sandbox, paywindow }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'paywindow-node-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const post = (origin: string, path = '/any/where/checkouts', body = '{"reference":"cart-42"}') =>
  fetch(`${origin}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

describe('the server under Node', () => {
  it('says where it has made a new store that another working directory would make elsewhere', async () => {
    const file = join(folder(), 'paywindow.sqlite')
    const errors: string[] = []
    const onError = (error: Error) => errors.push(error.message)
    const start = async (storePath: string) => {
      errors.length = 0
      const { paywindow } = shop('', { storePath, onError })
      const seen = await paywindow.checkouts.list()
      return [seen, ...errors]
    }
    const first = await start(relative(process.cwd(), file))
    expect(first).toEqual([
      [],
      expect.stringContaining(`There was no store at ${resolve(file)}, so an empty one was made`),
    ])
    expect(await start(relative(process.cwd(), file))).toEqual([[]])
    expect(await start(`${file}-2`)).toEqual([[]])
    expect(await start(':memory:')).toEqual([[]])
  })

  it('answers over a socket, mounted at any path, and keeps the checkout over a restart', async () => {
    const place = folder()
    const { paywindow } = shop(place)
    const first = await (await post(await serve(toNodeListener(paywindow)))).json()
    const { paywindow: again } = shop(place)
    const second = await (await post(await serve(toNodeListener(again)))).json()
    expect(second.id).toBe(first.id)
    expect(second.address).toBe(first.address)
    expect(second.key).toBe(first.key)
  })

  it.each<[left: string, (read: Buffer) => unknown, status: number]>([
    ['the value, as express.json()', (read) => JSON.parse(read.toString()), 200],
    ['bytes, as express.raw()', (read) => read, 200],
    ['bytes of another kind, as functions in a cloud', (read) => new Uint8Array(read), 200],
    ['text, as express.text()', (read) => read.toString(), 200],
    ['nothing', () => undefined, 400],
  ])('answers where a parser has read the body and left %s', async (_, leave, status) => {
    const { paywindow } = shop(folder())
    const listener = toNodeListener(paywindow)
    const origin = await serve(async (req, res) => {
      listener(Object.assign(req, { body: leave(await buffer(req)) }), res)
    })
    const answer = await post(origin)
    expect(answer.status).toBe(status)
    if (status === 400) expect(await answer.text()).toContain('mount Paywindow before body parsers')
  })

  it('does what a form of the page asks for, where a parser has read it, as express.urlencoded()', async () => {
    const { paywindow, sandbox } = shop(folder(), { page: {} })
    const listener = toNodeListener(paywindow)
    const origin = await serve(async (req, res) => {
      const body = Object.fromEntries(new URLSearchParams((await buffer(req)).toString()))
      listener(Object.assign(req, { body }), res)
    })
    const body = new URLSearchParams({ act: 'choose BTC bitcoin', id: '' })
    const answer = await fetch(`${origin}/pay?reference=cart-42`, { method: 'POST', body, redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(sandbox.orders()).toHaveLength(1)
  })

  it('answers where a logger has asked for the body as text', async () => {
    const { paywindow } = shop(folder())
    const listener = toNodeListener(paywindow)
    const origin = await serve((req, res) => listener(req.setEncoding('utf8'), res))
    expect((await post(origin)).status).toBe(200)
  })

  it.each<[kept: string, more: (text: string) => object, hinted: boolean]>([
    ['the value alone, in which a long number is another one', (text) => ({ body: JSON.parse(text) }), false],
    ['its bytes beside it', (text) => ({ body: JSON.parse(text), rawBody: Buffer.from(text) }), true],
    ['its text', (text) => ({ body: text }), true],
  ])('takes no other order than a webhook names, where a parser has left %s', async (_, more, isHinted) => {
    const errors: string[] = []
    const webhookSecret = 'a-secret_of.24~characters'
    const { paywindow, sandbox } = shop(folder(), {
      webhookSecret,
      onError: ({ message }) => void errors.push(message),
    })
    const listener = toNodeListener({ fetch: paywindow.webhook })
    const origin = await serve(async (req, res) => {
      listener(Object.assign(req, more((await buffer(req)).toString())), res)
    })
    const answer = await post(origin, `/hooks/${webhookSecret}`, '{"data":{"order_id":10000000000000001}}')
    expect([answer.status, errors.length, sandbox.orders()]).toEqual([204, isHinted ? 0 : 1, []])
  })

  it("counts creations by the socket's address", async () => {
    const { paywindow } = shop(folder(), { creationsPerClient: 1 })
    const listener = toNodeListener(paywindow)
    const origin = await serve((req, res) => {
      Object.defineProperty(req.socket, 'remoteAddress', { value: '203.0.113.7', configurable: true })
      listener(req, res)
    })
    expect((await post(origin)).status).toBe(200)
    const answer = await fetch(`${origin}/checkouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9' },
      body: '{"reference":"other"}',
    })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('counts them by it where an option is undefined, as where it is left out', async () => {
    // As in `clientKey: process.env.PROXY ? fromHeader(…) : undefined`.
    const leftOut = shop(folder(), { creationsPerClient: 1 })
    const unset = shop(folder(), { creationsPerClient: 1, clientKey: undefined, iconFetch: undefined })
    for (const { paywindow } of [leftOut, unset]) {
      const listener = toNodeListener(paywindow)
      let clients = 0
      const origin = await serve((req, res) => {
        clients += 1
        Object.defineProperty(req.socket, 'remoteAddress', { value: `203.0.113.${clients}`, configurable: true })
        listener(req, res)
      })
      const statuses = []
      for (const cart of ['one', 'two', 'three'])
        statuses.push((await post(origin, '/checkouts', JSON.stringify({ reference: cart }))).status)
      expect(statuses).toEqual([200, 200, 200])
    }
  })
})
