/** Starts and stops the shop of a test, and communicates with it without the browser. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Question } from './shop-server.ts'

/** The demo shop in a process of its own. */
export interface ShopProcess {
  readonly port: number
  /** What the shop has written to its log. */
  readonly log: readonly string[]
  /** Everything that no browser may see: token, sub-account and the service's order ids. */
  secrets(): Promise<string[]>
  /** Ids of the orders that were created at the service. */
  orders(): Promise<string[]>
  /** Moves the clock that the shop and the sandbox share forward. */
  advance(ms: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the shop. Resolves when it listens. */
export async function startShop(): Promise<ShopProcess> {
  const child = fork(fileURLToPath(new URL('./shop-server.ts', import.meta.url)), { silent: true, execArgv: [] })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => log.push(...text.split('\n').filter(Boolean)))
  }
  const address = await listen(child, log)
  if (!isAddress(address)) throw new Error(`the shop did not start: ${log.join('\n')}`)
  return {
    port: address.port,
    log,
    secrets: async () => asTexts(await ask(child, { ask: 'secrets' })),
    orders: async () => asTexts(await ask(child, { ask: 'orders' })),
    advance: async (ms) => {
      await ask(child, { ask: 'advance', ms })
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function listen(child: ChildProcess, log: readonly string[]): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the shop ended with ${code}: ${log.join('\n')}`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return message
}

async function ask(child: ChildProcess, question: Question): Promise<unknown> {
  child.send(question)
  const [answer] = await once(child, 'message')
  return answer
}

function isAddress(value: unknown): value is { port: number } {
  return typeof value === 'object' && value !== null && 'port' in value && typeof value.port === 'number'
}

function asTexts(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw new Error('not a list of texts')
  return value
}
