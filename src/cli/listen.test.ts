import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from './listen.ts'
import { runSandbox } from './sandbox.ts'

async function serve(handler: (request: Request) => Promise<Response>) {
  const server = await listen(handler, 0)
  onTestFinished(server.close)
  return `http://127.0.0.1:${server.port}`
}

describe('the listener', () => {
  it('passes requests on and answers back', async () => {
    const url = await serve(async (request) => {
      const said = `${request.method} ${request.url} ${request.headers.get('x-name')} ${await request.text()}`
      return new Response(said, { status: 418, headers: { 'x-answer': 'yes' } })
    })
    const response = await fetch(`${url}/a?b=c`, { method: 'POST', body: 'body', headers: { 'x-name': 'value' } })
    expect([response.status, response.headers.get('x-answer')]).toEqual([418, 'yes'])
    expect(await response.text()).toBe(`POST ${url}/a?b=c value body`)
  })

  it('refuses a body that is too large', async () => {
    const url = await serve(async () => new Response('never'))
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) })).status).toBe(413)
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '192.168.1.7', '0.0.0.0', ''])(
    'does not answer to the name %j, which somebody else may have led here',
    async (name) => {
      const url = await serve(async () => new Response('never'))
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /)
    },
  )

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:4300'])('answers to the name %s', async (name) => {
    const url = await serve(async () => new Response('yes'))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('survives a handler that fails', async () => {
    const url = await serve((request) =>
      request.url.endsWith('/bad') ? Promise.reject(new Error('broken')) : Promise.resolve(new Response('good')),
    )
    await expect(fetch(`${url}/bad`)).rejects.toThrow()
    expect(await (await fetch(url)).text()).toBe('good')
  })

  it('aborts the request when the client has gone', async () => {
    const gone = Promise.withResolvers<void>()
    const client = new AbortController()
    const url = await serve((request) => {
      request.signal.addEventListener('abort', () => gone.resolve())
      client.abort()
      return new Promise(() => undefined)
    })
    await expect(fetch(url, { signal: client.signal })).rejects.toThrow()
    await gone.promise
  })
})

describe('paywindow sandbox', () => {
  function start(port: number) {
    const stop = new AbortController()
    const greeted = Promise.withResolvers<string>()
    const world = { env: {}, stdout: greeted.resolve, stderr: () => undefined, fetch, folder: '/', stop: stop.signal }
    const done = runSandbox({ port }, world)
    done.catch(greeted.reject)
    return { greeted: greeted.promise, done, stop }
  }
  const variable = (greeting: string, name: string) => new RegExp(`export ${name}=(\\S+)`).exec(greeting)?.[1] ?? ''

  it('serves what its greeting says, until it is stopped', async () => {
    const { greeted, done, stop } = start(0)
    const greeting = await greeted
    expect(greeting).toContain('createPaywindow({ test: true })')
    const url = variable(greeting, 'PAYWINDOW_SERVICE_URL')
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${variable(greeting, 'PAYWINDOW_ACCESS_TOKEN')}`,
      'x-sub-account-id': variable(greeting, 'PAYWINDOW_SUB_ACCOUNT_ID'),
    }
    const list = await fetch(`${url}/v1/order?page=1&size=10`, { headers })
    expect(await list.json()).toMatchObject({ orders: [] })
    expect(await (await fetch(`${url}/sandbox/orders`)).json()).toEqual([])
    stop.abort()
    await done
    await expect(fetch(url)).rejects.toThrow()
  })

  it('says when its port is taken', async () => {
    const server = await listen(async () => new Response(), 0)
    onTestFinished(server.close)
    await expect(start(server.port).greeted).rejects.toThrow(/Port \d+ cannot be used: .*--port/)
  })
})
