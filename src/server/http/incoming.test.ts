/**
 * Requests at Node's listener, byte by byte: each is answered or cut off, and the process lives.
 */
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { toNodeListener } from './listen.ts'

const deadly: unknown[] = []
const note = (error: unknown) => deadly.push(error)
let server: Server
let port: number
beforeAll(async () => {
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  server = createServer(toNodeListener(createTestShop().paywindow))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  server.closeAllConnections()
  server.close()
  process.off('uncaughtException', note)
  process.off('unhandledRejection', note)
  expect(deadly).toEqual([])
})

/** Sends pieces one after the other, then ends or resets, and resolves with what came back. */
async function say(pieces: readonly string[], end: 'wait' | 'end' | 'reset' = 'wait'): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => {
    heard += data.toString('latin1')
  })
  const over = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => resolve())
  })
  for (const piece of pieces) {
    if (!socket.destroyed) await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (end === 'reset') socket.resetAndDestroy()
  if (end === 'end') socket.end()
  // A waiting client sees the close, however busy the machine; the others have nothing to wait for.
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, end === 'wait' ? 20_000 : 500))])
  socket.destroy()
  return heard
}

const post = (...headers: readonly string[]) =>
  [
    'POST /checkouts HTTP/1.1',
    'host: a',
    'content-type: application/json',
    'connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n')
const bare = (line: string, ...headers: readonly string[]) =>
  [line, 'host: a', 'connection: close', ...headers, '', ''].join('\r\n')

describe('a malicious request', () => {
  it.each<[string, readonly string[], number]>([
    ['a body that is too large', [post('content-length: 100000'), 'x'.repeat(100_000)], 413],
    [
      'a body in pieces that is too large',
      [post('transfer-encoding: chunked'), ...Array(8).fill(`1000\r\n${'x'.repeat(4096)}\r\n`), '0\r\n\r\n'],
      413,
    ],
    ['a length that is none', [post('content-length: many'), 'x'], 400],
    ['a broken chunk', [post('transfer-encoding: chunked'), 'zz\r\nabc'], 400],
    ['a host that is none', ['GET /offer HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'], 400],
    ['a path that is none', [bare('GET http://[ HTTP/1.1')], 400],
    ['a backslash, which is read as a slash', [bare('GET /x\\..\\offer?reference=a HTTP/1.1')], 400],
    ['a step back', [bare('GET /x/../offer?reference=a HTTP/1.1')], 400],
    ['an encoded step back', [bare('GET /x/%2E./offer?reference=a HTTP/1.1')], 400],
    ['a step nowhere at the end', [bare('GET /offer/.?reference=a HTTP/1.1')], 400],
    ['a fragment', [bare('OPTIONS /offer#/x HTTP/1.1')], 400],
    ['names with dots, and signs in the question', [bare('GET /..x/.y/offer?reference=a\\/../b HTTP/1.1')], 200],
    ['a method that cannot be passed on', [bare('TRACE /offer HTTP/1.1')], 400],
    ['another method that cannot be', [bare('CONNECT a:1 HTTP/1.1')], 0],
    ['an upgrade', [bare('GET /offer?reference=a HTTP/1.1', 'upgrade: websocket')], 200],
    ['a body that was not sent for', [post('content-length: 2', 'expect: 100-continue'), '{}'], 400],
    ['a header of other bytes', [bare('GET /offer?reference=a HTTP/1.1', 'paywindow-key: \u00e9\u00ff')], 200],
    ['no HTTP', ['\0\u00ff\r\n\r\n'], 400],
  ])('%s is refused', async (_, pieces, status) => {
    const heard = await say(pieces)
    // With `expect` two heads come, and the last one counts.
    expect(Number([...heard.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].at(-1)?.[1] ?? 0)).toBe(status)
  })

  it('that ends early at any point does not affect others', async () => {
    const whole = `${post('content-length: 24')}{"reference":"cart-42"}\n`
    const ends = Array.from({ length: 12 }, (_, at) => Math.floor((whole.length * at) / 12))
    await Promise.all(ends.flatMap((end) => (['reset', 'end'] as const).map((how) => say([whole.slice(0, end)], how))))
    await Promise.all(ends.map(() => say([post('content-length: 100000'), 'x'.repeat(5_000)], 'reset')))
    expect(await say([whole])).toMatch(/^HTTP\/1\.1 200 /)
  })
})
