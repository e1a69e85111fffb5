/** The processes that a part of the bench runs against. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceSetup, ToMerchant, ToService } from './messages.ts'

/** A service and a merchant's server in front of it. */
export interface Shop {
  readonly port: number
  service<Answer>(message: ToService): Promise<Answer>
  merchant<Answer>(message: ToMerchant): Promise<Answer>
}

/** How both behave. */
export interface ShopSetup extends ServiceSetup {
  readonly requestsPerSecond: number
  readonly equalPrices: boolean
}

/** A service that takes 50 ms, sets no limit, and shows times that prove whose an order is. */
export const usual: ShopSetup = {
  latencyMs: 50,
  perSecond: null,
  provesByTime: true,
  requestsPerSecond: 50,
  equalPrices: false,
}

/** Starts both, and ends both with their files after the work. */
export async function inShop(setup: ShopSetup, work: (shop: Shop) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-bench-'))
  const service = start('service.ts', setup)
  const access = await said<object>(service)
  const { requestsPerSecond, equalPrices } = setup
  const merchant = start('merchant.ts', {
    ...access,
    requestsPerSecond,
    equalPrices,
    storePath: join(folder, 'store.sqlite'),
  })
  const port = await said<number>(merchant)
  try {
    await work({ port, service: asking(service), merchant: asking(merchant) })
  } finally {
    for (const child of [merchant, service]) {
      child.disconnect()
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true })
  }
}

function start(file: string, setup: object): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(setup)])
}

async function said<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}

/** One message after the other, so that each answer is that of its question. */
function asking<Message extends object>(child: ChildProcess) {
  let last: Promise<unknown> = Promise.resolve()
  return <Answer>(message: Message): Promise<Answer> => {
    const answer = last.then(() => {
      const answered = said<Answer>(child)
      child.send(message)
      return answered
    })
    last = answer
    return answer
  }
}
