/** What survives every crash: the service, with what it was asked and when, and the merchant's book of what was told. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Listening, listen } from '../../../src/cli/listen.ts'
import { asRecord, asText } from '../../../src/contract/parse.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'

/** A creation that the service was asked for. */
interface CreationRequest {
  readonly fromMs: number
  /** When its answer was on its way. */
  untilMs: number
  /** Which of the service's orders was made of it, counted from 0; undefined when none was. */
  place: number | undefined
}

/** An event as the merchant's code got it. */
export interface ToldEvent {
  readonly eventId: string
  readonly checkoutId: string
  readonly reference: string
  readonly status: string
  readonly previousStatus: string
  readonly amount: string
  readonly at: string
}

/** Everything that lives in the process that kills. */
export interface SurvivingWorld {
  readonly sandbox: Sandbox
  readonly serviceUrl: string
  readonly merchantUrl: string
  readonly creations: readonly CreationRequest[]
  /** In the order in which they were told, with repetitions. */
  readonly events: readonly ToldEvent[]
  /** Resolves when the next creation reaches the service, or the next event the merchant. */
  nextMoment(): Promise<void>
  close(): Promise<void>
}

/** @param random - For how long answers take. */
export async function openSurvivingWorld(random: () => number): Promise<SurvivingWorld> {
  const current = new AsyncLocalStorage<CreationRequest>()
  let made = 0
  const sandbox = createSandbox({
    autoConfirmMs: 400,
    // Asked once for each order, while it is made.
    appearAfterMs: () => {
      const creation = current.getStore()
      if (creation) creation.place = made
      made += 1
      return 0
    },
  })
  const creations: CreationRequest[] = []
  const events: ToldEvent[] = []
  let waiting: (() => void)[] = []

  function tellMoment(): void {
    for (const resolve of waiting) resolve()
    waiting = []
  }

  async function serve(request: Request): Promise<Response> {
    const isCreation = request.method === 'POST' && new URL(request.url).pathname === '/v1/order/exchange'
    if (!isCreation) return sandbox.fetch(request)
    tellMoment()
    const creation: CreationRequest = { fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY, place: undefined }
    creations.push(creation)
    await sleep(random() * 60)
    const copy = await copyOf(request)
    const answer = await current.run(creation, () => sandbox.fetch(request.url, copy))
    await sleep(random() * 60)
    creation.untilMs = Date.now()
    return answer
  }

  async function hear(request: Request): Promise<Response> {
    const event = parseEvent(await request.json())
    tellMoment()
    // Some failures of the merchant's own code, before and after it has written down what it was told.
    if (random() < 0.05) return new Response(null, { status: 500 })
    if (random() < 0.03) return new Promise<never>(() => undefined)
    events.push(event)
    await sleep(random() * 20)
    return new Response(null, { status: random() < 0.05 ? 500 : 204 })
  }

  const listening: Listening[] = [await listen(serve, 0), await listen(hear, 0)]
  const [service, merchant] = listening.map(({ port }) => `http://127.0.0.1:${port}`)
  return {
    sandbox,
    serviceUrl: service ?? '',
    merchantUrl: merchant ?? '',
    creations,
    events,
    nextMoment: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      await Promise.all(listening.map((each) => each.close()))
    },
  }
}

/** The service does its work also for somebody who is gone: the request's own signal is left behind. */
async function copyOf(request: Request): Promise<RequestInit> {
  return { method: request.method, headers: request.headers, body: await request.text() }
}

function parseEvent(json: unknown): ToldEvent {
  const event = asRecord(json, 'event')
  const price = asRecord(event.price, 'price')
  return {
    eventId: asText(event.eventId, 'eventId'),
    checkoutId: asText(event.checkoutId, 'checkoutId'),
    reference: asText(event.reference, 'reference'),
    status: asText(event.status, 'status'),
    previousStatus: asText(event.previousStatus, 'previousStatus'),
    amount: asText(price.amount, 'amount'),
    at: asText(event.at, 'at'),
  }
}
