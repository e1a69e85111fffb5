import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { toNodeListener } from 'paywindow/server/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort } from '../server/http/listen.ts'
import { answeringTo, readHosts } from './hosts.ts'

const site = { fetch: async () => new Response('the shop') }
const server = createServer(toNodeListener(answeringTo(readHosts(' Shop.Test , ,tunnel.example'), site)))
let port: number
beforeAll(async () => {
  port = await openPort(server, { port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

/** The first line of the answer to a request with these headers, byte by byte. */
async function ask(headers: string, target = '/', method = 'GET'): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${method} ${target} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`, 'latin1')
  return (await text(socket)).split('\r\n')[0] ?? ''
}

describe('the name of the shop', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', '127.1', '0x7f.1', 'shop.test', 'tunnel.example'])(
    'may be %s, with a port and without one',
    async (name) => {
      expect(await ask(`host: ${name}\r\n`)).toBe('HTTP/1.1 200 OK')
      expect(await ask(`host: ${name}:${port}\r\n`)).toBe('HTTP/1.1 200 OK')
    },
  )

  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil-localhost',
    'localhost.',
    'sub.localhost',
    'shop.test.evil.example',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '0.0.0.0',
    '192.168.1.7',
    '[::]',
    '[::ffff:127.0.0.1]',
    'xn--locahost-9za',
  ])('is not %s', async (name) => {
    expect(await ask(`host: ${name}\r\n`)).toBe('HTTP/1.1 403 Forbidden')
    expect(await ask(`host: ${name}:${port}\r\n`)).toBe('HTTP/1.1 403 Forbidden')
  })

  it.each([
    '',
    'host: \r\n',
    'host: a b\r\n',
    'host: localhost:port\r\n',
    'host: evil.example@localhost\r\n',
    'host: evil.example/localhost\r\n',
    'host: localhost#\r\n',
    'host: localhost\\evil\r\n',
  ])('is not what stands in %j', async (headers) => expect(await ask(headers)).toMatch(/^HTTP\/1\.1 40[03] /))

  it('is no other that stands in the address, or is said twice', async () => {
    expect(await ask(`host: localhost:${port}\r\n`, 'http://evil.example/')).toBe('HTTP/1.1 400 Bad Request')
    expect(await ask(`host: evil.example\r\nhost: localhost\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(await ask(`host: evil.example\r\nx-forwarded-host: localhost\r\n`)).toBe('HTTP/1.1 403 Forbidden')
  })
})

it.each(['cross-site', 'same-site'])('a form of a page that is %s is not taken', async (site) => {
  const from = `host: localhost:${port}\r\nsec-fetch-site: ${site}\r\n`
  expect(await ask(from, '/cart', 'POST')).toBe('HTTP/1.1 403 Forbidden')
  expect(await ask(from)).toBe('HTTP/1.1 200 OK')
  expect(await ask(from.replace(site, 'same-origin'), '/cart', 'POST')).toBe('HTTP/1.1 200 OK')
})

it.each(['https://evil.example', 'http://localhost:1', 'null'])(
  'a form is not taken from %s in an older browser',
  async (origin) => {
    const from = `host: localhost:${port}\r\norigin: ${origin}\r\n`
    expect(await ask(from, '/cart', 'POST')).toBe('HTTP/1.1 403 Forbidden')
    expect(await ask(from)).toBe('HTTP/1.1 200 OK')
    expect(await ask(from.replace(origin, `https://localhost:${port}`), '/cart', 'POST')).toBe('HTTP/1.1 200 OK')
  },
)
