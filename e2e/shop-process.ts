/** Opens and closes the shops of tests, and communicates with them without the browser. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Message, Question } from './shop-server.ts'

/**
 * The process for the shops of a worker. A start of a process takes longer than most tests, so each
 * test has a new shop in the same process.
 */
export interface ShopProcess {
  /** Opens a shop that knows nothing of any before it. Resolves when it listens. */
  open(): Promise<OpenShop>
  stop(): Promise<void>
}

/** The demo shop of one test. */
export interface OpenShop {
  readonly port: number
  /** What the shop has written to its log. */
  readonly log: readonly string[]
  /** Everything that no browser may see: token, sub-account and the service's order ids. */
  secrets(): Promise<string[]>
  /** Ids of the orders that were created at the service. */
  orders(): Promise<string[]>
  /** Moves the clock that the shop and the sandbox share forward. */
  advance(ms: number): Promise<void>
  /** Lets the service refuse the next creation. */
  refuseNext(): Promise<void>
  close(): Promise<void>
}

/** Starts the process. */
export function startShops(): ShopProcess {
  const child = fork(fileURLToPath(new URL('./shop-server.ts', import.meta.url)), { silent: true, execArgv: [] })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  }
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the shop ended with ${code}: ${written}`)
  })
  // Heard by whoever asks next.
  ended.catch(() => undefined)
  const ask = (question: Question) => Promise.race([answerTo(child, question), ended])
  return {
    open: async () => {
      const log: string[] = []
      const keep = (message: Message) => {
        if ('line' in message) log.push(message.line)
      }
      child.on('message', keep)
      const port = await ask({ ask: 'open' })
      if (typeof port !== 'number') throw new Error(`the shop did not start: ${written}`)
      return {
        port,
        log,
        secrets: async () => asTexts(await ask({ ask: 'secrets' })),
        orders: async () => asTexts(await ask({ ask: 'orders' })),
        advance: async (ms) => {
          await ask({ ask: 'advance', ms })
        },
        refuseNext: async () => {
          await ask({ ask: 'refuse' })
        },
        close: async () => {
          await ask({ ask: 'close' })
          child.off('message', keep)
        },
      }
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

function answerTo(child: ChildProcess, question: Question): Promise<unknown> {
  return new Promise((resolve) => {
    const onMessage = (message: Message) => {
      if (!('answer' in message)) return
      child.off('message', onMessage)
      resolve(message.answer)
    }
    child.on('message', onMessage)
    child.send(question)
  })
}

function asTexts(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw new Error('not a list of texts')
  return value
}
