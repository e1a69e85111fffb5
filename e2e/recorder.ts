/** A proxy between browser and shop that keeps every answer as it passes, also those that no page could read any more. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorder {
  readonly url: string
  /** Path, headers and body of every answer so far. */
  readonly answers: readonly string[]
  /** Method and path of every request so far. */
  readonly requests: readonly string[]
  stop(): Promise<void>
}

/** @param port - Where the shop listens. */
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
        answers.push([url, JSON.stringify(answer.headers), body.toString('latin1')].join('\n'))
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.end(body)
      })
    })
    passedOn.on('error', () => outgoing.destroy())
    incoming.pipe(passedOn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    answers,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
