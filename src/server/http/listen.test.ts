import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Listening, listen, serverTimes, toNodeListener } from './listen.ts'

let listening: Listening | undefined
afterEach(() => listening?.close())

const fetchHello = async (request: Request) => new Response(`hello ${new URL(request.url).pathname}`)

/**
 * The server's bytes on one connection for these requests, until it closes or has answered each.
 */
function exchange(port: number, requests: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data
      if (text.split('HTTP/1.1').length > requests.length) socket.end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.write(requests.join(''))
  })
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`

describe('listen', () => {
  it('serves on a free port, and keeps a connection for longer than browsers wait between polls', async () => {
    listening = await listen({ fetch: fetchHello }, { port: 0, host: '127.0.0.1' })
    const answers = await exchange(listening.port, [get('/one'), get('/two')])
    expect(answers).toContain('hello /one')
    expect(answers).toContain('hello /two')
    expect(answers).toMatch(/Keep-Alive: timeout=65/i)
  })

  it('closes after the requests in progress, and then accepts no more', async () => {
    let answer: () => void = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    let arrive: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const fetchSlowly = () => {
      arrive()
      return slow.then(() => new Response('done'))
    }
    listening = await listen({ fetch: fetchSlowly }, { port: 0, host: '127.0.0.1' })
    const { port, close } = listening
    const asked = fetch(`http://127.0.0.1:${port}/`)
    await arrived
    const closed = close()
    answer()
    expect(await (await asked).text()).toBe('done')
    await closed
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    listening = undefined
  })

  it('reports that the port is in use', async () => {
    listening = await listen({ fetch: fetchHello }, { port: 0, host: '127.0.0.1' })
    await expect(listen({ fetch: fetchHello }, { port: listening.port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })
})

describe('the signal of a request', () => {
  it('aborts when the client has left before the answer, and only then', async () => {
    const signals: AbortSignal[] = []
    const answers: (() => void)[] = []
    const fetchLater = (request: Request) => {
      signals.push(request.signal)
      return new Promise<Response>((resolve) => answers.push(() => resolve(new Response('done'))))
    }
    listening = await listen({ fetch: fetchLater }, { port: 0, host: '127.0.0.1' })
    const address = `http://127.0.0.1:${listening.port}/`
    const answered = fetch(address, { headers: { connection: 'close' } })
    await vi.waitUntil(() => answers.length === 1)
    answers[0]?.()
    expect(await (await answered).text()).toBe('done')

    const leaving = new AbortController()
    const left = fetch(address, { signal: leaving.signal }).catch(() => 'left')
    await vi.waitUntil(() => answers.length === 2)
    leaving.abort()
    expect(await left).toBe('left')
    await vi.waitUntil(() => signals[1]?.aborted)
    expect(signals[0]?.aborted).toBe(false)
  })
})

describe('a body that is read only in part', () => {
  it.each([10, 70_000, 3_000_000])('of %d bytes leaves the connection to the next request', async (length) => {
    const fetchPart = async (request: Request) => {
      if (request.method === 'GET') return fetchHello(request)
      const reader = request.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      return new Response('too large', { status: 413 })
    }
    listening = await listen({ fetch: fetchPart }, { port: 0, host: '127.0.0.1' })
    const large = `POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`
    const answers = await exchange(listening.port, [large, get('/next')])
    expect(answers).toMatch(/^HTTP\/1\.1 413 .*too large.*HTTP\/1\.1 200 .*hello \/next/s)
  })
})

describe('a request that does not arrive whole', () => {
  const requestMs = 300

  it.each([
    ['head', 'GET / HTTP/1.1\r\nHost: shop'],
    ['body', 'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 500\r\n\r\n{"reference"'],
  ])('is cut within about a second of its limit when the %s is slow', async (_, start) => {
    const fetchBody = async (request: Request) => new Response(await request.text())
    const server = createServer(serverTimes(requestMs), toNodeListener({ fetch: fetchBody }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const beganAtMs = performance.now()
    const answer = await exchange(typeof address === 'object' ? (address?.port ?? 0) : 0, [start])
    expect(performance.now() - beganAtMs).toBeLessThan(requestMs + 2_500)
    expect(answer).toContain('408')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
