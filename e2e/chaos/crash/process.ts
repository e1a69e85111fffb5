/** A server's process, which is started and killed by SIGKILL again and again. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asBuilt } from '../built-page.ts'
import type { Recovery } from './recovery.ts'

/** What a server says to the process that started it. */
interface Message {
  readonly port?: number
  readonly error?: string
  readonly hasWatchLease?: true
  readonly hasLookedAtAll?: true
}

/** A process that is killed and started again. */
export interface ServerProcess {
  /** Where it listens; undefined while it does not. */
  url(): string | undefined
  start(): Promise<void>
  /** Kills it, whatever it is doing, and resolves when it is gone. */
  kill(): Promise<void>
  /** Number of errors reported to the merchant's code, by error code. */
  readonly errors: Readonly<Record<string, number>>
}

/**
 * Creates a server that is not started yet.
 *
 * @param args - For the server: role, store, service and merchant.
 * @param notes - Called when a worker has the watcher's lease, and when it has nothing left to look
 *   at.
 */
export function createServerProcess(
  args: readonly string[],
  { noteWatchLease, noteWatching }: Partial<Pick<Recovery, 'noteWatchLease' | 'noteWatching'>> = {},
): ServerProcess {
  const errors: Record<string, number> = {}
  let child: ChildProcess | undefined
  let url: string | undefined

  return {
    errors,
    url: () => url,
    start: async () => {
      const started = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), args, { execArgv: [asBuilt] })
      child = started
      const listening = new Promise<string>((resolve, reject) => {
        started.on('message', (message: Message) => {
          // What arrives after the kill would be taken for the next process.
          if (message.hasWatchLease && url !== undefined) noteWatchLease?.()
          if (message.hasLookedAtAll && url !== undefined) noteWatching?.()
          if (message.port !== undefined) resolve(`http://127.0.0.1:${message.port}`)
          if (message.error !== undefined) errors[message.error] = (errors[message.error] ?? 0) + 1
        })
        started.once('exit', (code) => reject(new Error(`The server ended by itself with ${code}`)))
      })
      const tooLate = sleep(20_000, undefined, { ref: false }).then(() => {
        throw new Error('The server did not start within 20 s')
      })
      url = await Promise.race([listening, tooLate])
      tooLate.catch(() => undefined)
      listening.catch(() => undefined)
    },
    kill: async () => {
      if (!child) return
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      url = undefined
      child.kill('SIGKILL')
      await ended
      child = undefined
    },
  }
}
