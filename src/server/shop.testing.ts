/** A merchant server on the sandbox, in virtual time, for the server's tests. */
import { type KeyedCheckout, keyHeader, type Offer } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import { asList, asRecord, type JsonRecord } from '../contract/parse.ts'
import { parseCheckout, parseKeyedCheckout, parseOffer } from '../contract/parsers.ts'
import { createSandbox, type Sandbox, type SandboxOptions, seededRandom } from '../sandbox/index.ts'
import { createVirtualClock, type VirtualClock } from '../service/virtual-clock.testing.ts'
import type { MerchantOffer, OfferCallback } from './offers.ts'
import type { PaywindowOptions, StatusEvent } from './options.ts'
import { createPaywindow, type PaywindowServer } from './paywindow.ts'
import { bitcoinAddress } from './records/records.testing.ts'
import { createMemoryStore } from './store/memory.ts'

/** A method without tags. */
export const bitcoin = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
/** A method with tags. */
export const xrp = { asset: 'XRP', network: 'ripple', name: 'XRP' }

/** What is sold unless a test says otherwise. */
export const cartOffer: MerchantOffer = {
  price: { asset: 'USD', amount: '49.90' },
  methods: [bitcoin],
  merchant: { name: 'Lantern Books' },
  description: 'Order 42',
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

/** A server with its sandbox, in virtual time. */
export interface TestShop {
  readonly clock: VirtualClock
  readonly sandbox: Sandbox
  readonly paywindow: PaywindowServer
  readonly events: StatusEvent[]
  readonly errors: PaywindowError[]
  /** What `offer` returns; null refuses. */
  offer: MerchantOffer | null
  /** Changes what `offer` returns. */
  sells(more: Partial<MerchantOffer>): void
  /** Called with each request of this server to the service. */
  onRequest?: (url: string) => void
  /** Sends a request and waits for its answer only. */
  send(...request: Parameters<typeof requestOf>): Promise<Answer>
  open(body?: unknown): Promise<KeyedCheckout>
  poll(checkout: KeyedCheckout): Promise<ReturnType<typeof parseCheckout>>
  readOffer(): Promise<Offer>
  /** Runs work, and moves time on when nothing else is left to do. */
  run<Value>(work: Promise<Value>): Promise<Value>
  /** Lets time pass, with all that happens in it. */
  pass(ms: number): Promise<void>
  /** Lets background work finish. */
  settle(): Promise<unknown>
  /** Creation requests that reached the service, done or not. */
  readonly creations: () => number
}

/** Without test mode: the service gives an address that a wallet takes. In Bitcoin only. */
export function createRealShop(options: TestShopOptions = {}): TestShop {
  return createTestShop({
    test: false,
    changeAnswer: (json) => ('wallet_address' in json ? { ...json, wallet_address: bitcoinAddress } : json),
    ...options,
  })
}

export type TestShopOptions = Partial<Omit<PaywindowOptions, 'offer' | 'service'>> & {
  readonly sandbox?: SandboxOptions
  /**
   * Changes the service's answers: creations, details, or items of the list, which null removes.
   * `sentAtMs`: the time of the request.
   */
  readonly changeAnswer?: (json: JsonRecord, sentAtMs: number, isListed: boolean) => object | null
  /** Whether the visitor is offered what the shop offers. Default: everybody is. */
  readonly admits?: (query: Parameters<OfferCallback>[0]) => boolean
  /** False: this process has no `onStatusChange`. */
  readonly hasCallback?: boolean
  /** Shares clock, sandbox and store with another server. */
  readonly beside?: { readonly shop: TestShop; readonly store: PaywindowOptions['store'] }
}

/** Creates a server that sells one cart for 49.90 USD, unless the options say otherwise. */
export function createTestShop({
  sandbox: sandboxOptions,
  hasCallback = true,
  admits = () => true,
  beside,
  changeAnswer,
  ...options
}: TestShopOptions = {}): TestShop {
  const clock = beside?.shop.clock ?? createVirtualClock()
  const sandbox = beside?.shop.sandbox ?? createSandbox({ clock, random: seededRandom(1), ...sandboxOptions })
  const events: StatusEvent[] = []
  const errors: PaywindowError[] = []
  let creations = 0
  const countingFetch: typeof fetch = (input, init) => {
    if (init?.method === 'POST') creations++
    shop.onRequest?.(String(input))
    const sentAtMs = clock.now()
    const answer = sandbox.fetch(input, init)
    return changeAnswer ? changed(answer, (json, isListed) => changeAnswer(json, sentAtMs, isListed)) : answer
  }
  const paywindow = createPaywindow({
    service: { ...sandbox.access, fetch: countingFetch, clock, random: () => 0.5 },
    store: beside?.store ?? createMemoryStore(clock.now),
    test: true,
    clientKey: () => '203.0.113.7',
    ...(hasCallback && {
      onStatusChange: (event) => {
        events.push(event)
      },
    }),
    onError: (error) => errors.push(error),
    ...options,
    offer: (query) => (admits(query) ? shop.offer : null),
  })
  const shop: TestShop = {
    clock,
    sandbox,
    paywindow,
    events,
    errors,
    offer: cartOffer,
    sells: (more) => {
      shop.offer = { ...(shop.offer ?? cartOffer), ...more }
    },
    send: (...request) => clock.run(readAnswer(paywindow.fetch(requestOf(...request)))),
    open: async (body = { reference: 'cart-42' }) =>
      parseKeyedCheckout(okay(await shop.send('POST', '/checkouts', { body }))),
    poll: async ({ id, key }) => parseCheckout(okay(await shop.send('GET', `/checkouts/${id}`, { key }))),
    readOffer: async () => parseOffer(okay(await shop.send('POST', '/offer', { body: { reference: 'cart-42' } }))),
    run: (work) => clock.run(work),
    pass: (ms) => clock.run(clock.sleep(ms)),
    settle: () => clock.run(paywindow.settled()),
    creations: () => creations,
  }
  return shop
}

/** What a browser sends to a path of the server. */
export function requestOf(
  method: string,
  path: string,
  { body, key, headers }: { body?: unknown; key?: string; headers?: Record<string, string> } = {},
): Request {
  return new Request(`https://shop.example/paywindow${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { [keyHeader]: key }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

async function changed(
  response: Promise<Response>,
  change: (json: JsonRecord, isListed: boolean) => object | null,
): Promise<Response> {
  const answer = await response
  const text = await answer.text()
  const json: unknown = answer.ok && text.startsWith('{') ? parsed(text) : undefined
  if (json === undefined) return new Response(text, answer)
  const body = asRecord(json, 'answer')
  const isList = Array.isArray(body.orders)
  const orders = isList
    ? { orders: asList(body.orders, 'orders', 1_000).flatMap((item) => change(asRecord(item, 'order'), true) ?? []) }
    : {}
  return new Response(JSON.stringify(isList ? { ...body, ...orders } : change(body, false)), answer)
}

/** Undefined where the answer was cut off. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readAnswer(response: Promise<Response>): Promise<Answer> {
  const answer = await response
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    json: text === '' ? {} : asRecord(JSON.parse(text), 'answer'),
  }
}

function okay({ status, json }: Answer): unknown {
  if (status !== 200) throw new Error(`The merchant server answered ${status}: ${JSON.stringify(json)}`)
  return json
}

type WithSandbox = Pick<TestShop, 'sandbox'>

/** The sandbox's own view of an order, the first one by default. */
export function order({ sandbox }: WithSandbox, at = 0) {
  const found = sandbox.orders()[at]
  if (!found) throw new Error(`The sandbox has no order ${at}`)
  return found
}

/** The payer sends the exact amount of an order, the first one by default. */
export function deposit(shop: WithSandbox, at = 0): void {
  const { address, sourceAmount } = order(shop, at)
  shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
}

/** The same, and the service confirms it. */
export function pay(shop: WithSandbox, at = 0): void {
  deposit(shop, at)
  shop.sandbox.payer.confirm(order(shop, at).id)
}

/** Lets time pass while a server watches. */
export async function watchFor({ paywindow, clock }: TestShop, ms: number): Promise<void> {
  const watching = paywindow.watch()
  await clock.run(clock.sleep(ms))
  await clock.run(watching.stop())
}

/** The service cancels a paid order, and a browser polls until that is believed. */
export async function reverse(shop: TestShop, checkout: KeyedCheckout, at = 0): Promise<string> {
  shop.sandbox.payer.cancel(order(shop, at).id)
  for (let polls = 0; polls < 15; polls++) {
    await shop.pass(10_000)
    await shop.poll(checkout)
  }
  return (await shop.poll(checkout)).phase
}
