/** What survives every crash: the service with its creations, and the merchant with its events. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Listening, listen } from '../../../src/cli/listen.ts'
import { asRecord, asText } from '../../../src/contract/parse.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { createRecovery, type Recovery } from './recovery.ts'

/** A creation that the service was asked for. */
interface CreationRequest {
  readonly fromMs: number
  /** When its answer was sent; infinite until then. */
  untilMs: number
  /** Index of its order among the service's orders, from 0; undefined if it created none. */
  place: number | undefined
}

/** An event as the merchant's code received it. */
export interface DeliveredEvent {
  readonly eventId: string
  readonly checkoutId: string
  readonly reference: string
  readonly status: string
  readonly previousStatus: string
  readonly amount: string
  readonly at: string
}

/** Everything that lives in the process that kills the others. */
export interface SurvivingWorld {
  readonly sandbox: Sandbox
  /** The service, for the web process. */
  readonly serviceUrl: string
  /** The same service, for the worker, whose requests can be told apart by this. */
  readonly workerServiceUrl: string
  readonly recovery: Recovery
  readonly merchantUrl: string
  readonly creations: readonly CreationRequest[]
  /** All events in the order of their delivery, repetitions included. */
  readonly events: readonly DeliveredEvent[]
  /** Resolves when a creation, a reading of the list or an event arrives. */
  nextMoment(): Promise<void>
  close(): Promise<void>
}

/** Starts the service and the merchant. @param random - For delays and failures of the merchant. */
export async function openSurvivingWorld(random: () => number): Promise<SurvivingWorld> {
  const { creations, appearAfterMs, create } = createCreations(random)
  const sandbox = createSandbox({ autoConfirmMs: 400, appearAfterMs })
  const events: DeliveredEvent[] = []
  const recovery = createRecovery(Date.now)
  const moments = createMoments()

  async function serve(request: Request): Promise<Response> {
    const asked = `${request.method} ${new URL(request.url).pathname}`
    const isCreation = asked === 'POST /v1/order/exchange'
    if (isCreation || asked === 'GET /v1/order') moments.tell()
    if (isCreation) return create(request, sandbox)
    if (asked === 'GET /v1/order') await sleep(random() * 120)
    return sandbox.fetch(request)
  }

  async function serveWorker(request: Request): Promise<Response> {
    recovery.noteWatching()
    return serve(request)
  }

  async function hear(request: Request): Promise<Response> {
    const event = parseEvent(await request.json())
    const noteEnd = recovery.noteCallback(event.eventId)
    moments.tell()
    const answer = await answerTo(event, events, random)
    noteEnd()
    return answer
  }

  const listening: Listening[] = [await listen(serve, 0), await listen(serveWorker, 0), await listen(hear, 0)]
  const [service, workerService, merchant] = listening.map(({ port }) => `http://127.0.0.1:${port}`)
  return {
    sandbox,
    serviceUrl: service ?? '',
    workerServiceUrl: workerService ?? '',
    recovery,
    merchantUrl: merchant ?? '',
    creations,
    events,
    nextMoment: moments.next,
    close: async () => {
      await Promise.all(listening.map((each) => each.close()))
    },
  }
}

/** What creates orders, slowly, and knows which order came of which request. */
function createCreations(random: () => number) {
  const current = new AsyncLocalStorage<CreationRequest>()
  const creations: CreationRequest[] = []
  let made = 0

  return {
    creations,
    /** The sandbox calls this once for each order, while it creates it. */
    appearAfterMs: () => {
      const creation = current.getStore()
      if (creation) creation.place = made
      made += 1
      return 0
    },
    create: async (request: Request, sandbox: Sandbox): Promise<Response> => {
      const creation: CreationRequest = { fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY, place: undefined }
      creations.push(creation)
      await sleep(random() * 60)
      const copy = await copyOf(request)
      const answer = await current.run(creation, () => sandbox.fetch(request.url, copy))
      await sleep(random() * 60)
      creation.untilMs = Date.now()
      return answer
    },
  }
}

/** Moments that several can wait for. */
function createMoments() {
  let waiting: (() => void)[] = []
  return {
    tell: () => {
      for (const resolve of waiting) resolve()
      waiting = []
    },
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

/** The merchant's own code fails now and then, before or after it has recorded the event. */
async function answerTo(event: DeliveredEvent, events: DeliveredEvent[], random: () => number): Promise<Response> {
  if (random() < 0.05) return new Response(null, { status: 500 })
  if (random() < 0.03) return new Promise<never>(() => undefined)
  events.push(event)
  await sleep(random() * 20)
  return new Response(null, { status: random() < 0.05 ? 500 : 204 })
}

/** Copies a request without its signal: the service works on when the client has gone. */
async function copyOf(request: Request): Promise<RequestInit> {
  return { method: request.method, headers: request.headers, body: await request.text() }
}

function parseEvent(json: unknown): DeliveredEvent {
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
