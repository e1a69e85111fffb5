import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPort } from '../server/http/listen.ts'
import { listenerOf } from './listener.ts'

const code = 'export const nothing = null\n'.repeat(1000)
const answers: Readonly<Record<string, Response>> = {
  '/code.js': new Response(code, { headers: { 'content-type': 'text/javascript', 'cache-control': 'no-cache' } }),
  '/secret': new Response(code, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } }),
}
const fetchOf = async (request: Request) => answers[new URL(request.url).pathname]?.clone() ?? Response.error()
const server = createServer(listenerOf({ fetch: fetchOf }))
let origin: string
beforeAll(async () => {
  origin = `http://127.0.0.1:${await openPort(server, { port: 0, host: '127.0.0.1' })}`
})
afterAll(() => server.close())

it.each(['gzip', 'br'])('compresses files with %s', async (encoding) => {
  const response = await fetch(`${origin}/code.js`, { headers: { 'accept-encoding': encoding } })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
  expect(await response.text()).toBe(code)
})

it('leaves files alone for who cannot read that', async () => {
  const response = await fetch(`${origin}/code.js`, { headers: { 'accept-encoding': 'identity' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe(code)
})

it('never compresses what is for one visitor', async () => {
  const response = await fetch(`${origin}/secret`, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe(code)
})
