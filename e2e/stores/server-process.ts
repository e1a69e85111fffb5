/** Databases that run as processes of their own. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Ends a database by a signal. Resolves when it has ended. */
export type End = (signal: NodeJS.Signals) => Promise<void>

/**
 * Resolves when a database accepts connections, with how to end it.
 *
 * @param output - Where it says so.
 * @param last - Ends it when the tests are ended.
 * @throws Error with its output if it does not start.
 */
export function untilReady(name: string, server: ChildProcess, output: Readable, last: NodeJS.Signals): Promise<End> {
  const closed = new Promise<void>((resolve) => server.on('close', () => resolve()))
  const kill = () => server.kill(last)
  process.once('exit', kill)
  let said = ''
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (!/ready to accept connections/i.test(said)) return
      resolve(async (signal) => {
        process.off('exit', kill)
        server.kill(signal)
        await closed
      })
    })
    void closed.then(() => {
      process.off('exit', kill)
      reject(new Error(`${name} does not start here:\n${said}`))
    })
  })
}
