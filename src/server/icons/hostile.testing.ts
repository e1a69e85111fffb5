/**
 * A stranger's server that answers by its scenarios, byte by byte, plain or over TLS, for tests of
 * our outgoing requests.
 */
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** Of `icons.example`, made for these tests: it opens nothing. */
export const certificate = `
-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUS2oBHdqB/9tkMOp8ZfrzSW9hfZowCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaWNvbnMuZXhhbXBsZTAgFw0yNjExMjIyMDU2NDRaGA8yMTI2
MTAyOTIwNTY0NFowGDEWMBQGA1UEAwwNaWNvbnMuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABBC5EnZCVp98pf679NcTVjSCeu5WHJATRSXj+NMCKOdm
xJ0WCAdXGOah4pqv+uwwXw3+Om2nbHWKhEIjm9ABGaGjbTBrMB0GA1UdDgQWBBTm
e+Gx7nQljkqem08CGfoK4Ab7JzAfBgNVHSMEGDAWgBTme+Gx7nQljkqem08CGfoK
4Ab7JzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWljb25zLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSAAwRQIgWoCVY1jy6Hfay9QZbU6M4TArkIeJcJD9VowHzGd7
13wCIQCZqcVELVjmVqK3PWTf5dG6T1OvdReAMYbrICe33WEtnA==
-----END CERTIFICATE-----
`
const privateKey = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFFcxyQ3lMZsRbVDt
MwLvxvAk33oeNzqC5aQ/mVIeVXuhRANCAAQQuRJ2QlaffKX+u/TXE1Y0gnruVhyQ
E0Ul4/jTAijnZsSdFggHVxjmoeKar/rsMF8N/jptp2x1ioRCI5vQARmh
-----END PRIVATE KEY-----
`

/** Writes an answer to one request, or other bytes. `body` is that of a good answer. */
export type Scenario = (socket: Socket, body: string) => void

const head = (status: number | string, headers: readonly string[]) =>
  `HTTP/1.1 ${status} Word\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`

const send =
  (...parts: readonly string[]): Scenario =>
  (socket) =>
    socket.end(parts.join(''), 'latin1')

/** A whole answer with a status; after one that only announces another, nothing comes. */
export const answering =
  (status: number, ...headers: readonly string[]): Scenario =>
  (socket, body) => {
    socket.write(head(status, [...headers, `content-length: ${body.length}`]) + body)
    if (status < 200) socket.end()
  }

/** Writes pieces until nobody listens any more. */
const dripping =
  (first: string, piece: string, everyMs: number): Scenario =>
  (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  }

const flood = Array.from({ length: 4_000 }, (_, at) => `x-${at}: ${'y'.repeat(30)}`)

/** Failures besides statuses, by their names in reports. `type` is the type of a good answer. */
export function scenariosOf(type: string): Readonly<Record<string, Scenario>> {
  const good = [`content-type: ${type}`]
  return {
    'no answer at all': () => undefined,
    'an end without an answer': (socket) => socket.end(),
    'a reset': (socket) => socket.destroy(),
    'bytes that are no HTTP': send('\0\u00ff\u00fe hello \r\n\r\n'),
    'half a status line': send('HTTP/1.1 20'),
    'half a header': send('HTTP/1.1 200 OK\r\ncontent-type: ima'),
    'a status of two digits': send('HTTP/1.1 20 OK\r\n\r\n'),
    'a status of four digits': send('HTTP/1.1 2000 OK\r\n\r\n'),
    'another version': send('HTTP/9.9 200 OK\r\n\r\n'),
    'a header flood': send(head(200, [...good, ...flood]), 'abc'),
    'an endless header': dripping('HTTP/1.1 200 OK\r\nx: ', 'y'.repeat(30_000), 1),
    'control characters in a header': send(head(200, [...good, 'x-bad: a\0b\u0007']), 'abc'),
    'a type that no header may have': send(head(200, ['content-type: image/png\u00e9\u0080;\u0001']), 'abc'),
    'half a body': send(head(200, [...good, 'content-length: 1000']), 'abc'),
    'half a body and a reset': (socket) => {
      socket.write(`${head(200, [...good, 'content-length: 1000'])}abc`, () => socket.destroy())
    },
    'more body than was said': send(head(200, [...good, 'content-length: 3']), 'abcdefgh'.repeat(1_000)),
    'a length that is none': send(head(200, [...good, 'content-length: many']), 'abc'),
    'a negative length': send(head(200, [...good, 'content-length: -3']), 'abc'),
    'two lengths': send(head(200, [...good, 'content-length: 3', 'content-length: 5']), 'abc'),
    'a huge length': send(head(200, [...good, `content-length: ${'9'.repeat(30)}`]), 'abc'),
    'a length and chunks': send(
      head(200, [...good, 'content-length: 3', 'transfer-encoding: chunked']),
      '3\r\nabc\r\n0\r\n\r\n',
    ),
    'a broken chunk': send(head(200, [...good, 'transfer-encoding: chunked']), 'zz\r\nabc\r\n'),
    'chunks that end early': send(head(200, [...good, 'transfer-encoding: chunked']), '5\r\nab'),
    'an endless body': dripping(head(200, good), 'y'.repeat(65_536), 1),
    'a slow body': dripping(head(200, [...good, 'content-length: 100000']), 'y', 10),
    'slow headers': dripping('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 10),
    'endless early hints': dripping('', head(103, ['link: </a>']), 5),
    'an encoding that it is not in': send(head(200, [...good, 'content-encoding: gzip']), 'abc'),
    'an encoding nobody knows': send(head(200, [...good, 'content-encoding: x-secret']), 'abc'),
    'an upgrade': send(head(101, ['connection: upgrade', 'upgrade: websocket']), 'abc'),
    'an upgrade that was not asked for, with 200': send(head(200, ['connection: upgrade', 'upgrade: h2c']), 'abc'),
    'two answers': send(head(200, ['content-length: 0']), head(500, ['content-length: 0'])),
    'a redirect home': send(head(302, ['location: http://127.0.0.1/', 'content-length: 0'])),
    'a redirect to nowhere': send(head(307, ['location: http://[', 'content-length: 0'])),
  }
}

/** A server that listens on a loopback port. */
export interface HostileServer {
  readonly port: number
  /** Requests so far. */
  readonly requests: () => number
  close(): Promise<void>
}

/** @param choose - The scenario for a request, by its path. */
export function startHostile(
  kind: 'tls' | 'plain',
  body: string,
  choose: (path: string) => Scenario | undefined,
): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  let requests = 0
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      // A head comes in one piece, and the next only after its answer.
      const path = /^(?:GET|POST|DELETE) (\S+) HTTP/.exec(data.toString('latin1'))?.[1]
      if (path === undefined) return
      requests += 1
      choose(path)?.(socket, body)
    })
  }
  const server = kind === 'tls' ? createTlsServer({ cert: certificate, key: privateKey }, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        requests: () => requests,
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy()
            server.close(() => closed())
          }),
      })
    })
  })
}
