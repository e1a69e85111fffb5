/** A proxy between browser and shop that keeps every answer, even if no page reads it. */
import { createServer, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPort } from '../src/server/http/listen.ts'

/** A proxy that listens, and everything that passed it. */
export interface Recorder {
  readonly url: string
  /** Path, headers and body of every answer so far. */
  readonly answers: readonly string[]
  /** Method and path of every request so far. */
  readonly requests: readonly string[]
  stop(): Promise<void>
}

/** Decodes a body as a browser does. @throws Error for an unknown encoding. */
function readable(body: Buffer, encoding = 'identity'): string {
  const decode = { identity: () => body, gzip: () => gunzipSync(body), br: () => brotliDecompressSync(body) }[encoding]
  if (!decode) throw new Error(`an answer is encoded as ${encoding}`)
  return decode().toString('latin1')
}

/** Starts a recorder in front of the shop. @param port - The port on which the shop listens. */
export async function startRecorder(port: number): Promise<Recorder> {
  const answers: string[] = []
  const requests: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    requests.push(`${method} ${url}`)
    const passedOn = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        const text = readable(body, answer.headers['content-encoding'])
        answers.push([url, JSON.stringify(answer.headers), text].join('\n'))
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.end(body)
      })
    })
    passedOn.on('error', () => outgoing.destroy())
    incoming.pipe(passedOn)
  })
  const own = await openPort(server, { port: 0, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${own}`,
    answers,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
