/** The exchange service in memory, for tests and demonstrations. No money moves. */
import { PaywindowError } from '../contract/errors.ts'
import { createAddressBook } from './addresses.ts'
import { createSandboxClock, type SandboxClock } from './clock.ts'
import { control } from './control.ts'
import { answerWithFault, type Fault, type FaultHook } from './faults.ts'
import { drawIcon } from './icons.ts'
import { type Json, writeJson } from './json.ts'
import { createLedger, createOrderTimer, type Ledger } from './ledger.ts'
import { type SandboxOptions, type SandboxSettings, withDefaults } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { createPayer, type Payer } from './payer.ts'
import { Refusal, readNewOrder } from './reading.ts'
import { serve } from './service.ts'
import { createWallets, type SandboxWallet, type Wallets } from './wallets.ts'
import type { SandboxWebhooks } from './webhook-types.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

/**
 * Options of `createServiceClient` for the sandbox: spread them there.
 *
 * @example
 * ```ts
 * const access: SandboxAccess = createSandbox().access
 * access.baseUrl // => 'https://sandbox.invalid'
 * ```
 */
export interface SandboxAccess {
  readonly baseUrl: string
  readonly accessToken: string
  readonly subAccountId: string
  readonly fetch: typeof fetch
}

/**
 * An order that another client created on a sub-account, with the texts that a list can be searched
 * by.
 *
 * @example
 * ```ts
 * const pair = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin' }
 * const order: ForeignOrder = { ...pair, targetAmount: '49.90' }
 * createSandbox().addOrder(order).status // => 'open'
 * ```
 */
export interface ForeignOrder {
  readonly sourceAsset: string
  readonly targetAsset: string
  readonly network?: string
  readonly sourceAmount?: string
  readonly targetAmount?: string
  /** Default: the first sub-account. */
  readonly subAccountId?: string
  readonly recipientEmail?: string
  readonly description?: string
  /**
   * An address that another order has, too: some services reuse addresses. Deposits go to the first
   * order. Default: a new one.
   */
  readonly place?: { readonly address: string; readonly tag: string | null }
}

/**
 * A running sandbox.
 *
 * @example
 * ```ts
 * const sandbox: Sandbox = createSandbox()
 * sandbox.orders() // => []
 * ```
 */
export interface Sandbox {
  /** Answers a request as the service would, and requests for `/icons/…` and `/sandbox/…`. */
  readonly fetch: typeof fetch
  readonly access: SandboxAccess
  readonly payer: Payer
  readonly clock: SandboxClock
  /** Decides what goes wrong from now on. */
  faults: FaultHook | undefined
  /** Sends webhooks to the registered receivers when orders are created, confirmed or canceled. */
  readonly webhooks: SandboxWebhooks
  /** All orders with all their fields, oldest first. */
  orders(): readonly SandboxOrder[]
  wallets(): readonly SandboxWallet[]
  /** Adds an order without a request. Throws `invalid_request` when the service would refuse it. */
  addOrder(order: ForeignOrder): SandboxOrder
}

/** The parts of a sandbox. */
interface Parts {
  readonly settings: SandboxSettings
  readonly clock: SandboxClock
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly payer: Payer
  readonly webhooks: Webhooks
}

/**
 * Creates a sandbox without orders. Two sandboxes share nothing.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox()
 * const pair = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin' }
 * const order = sandbox.addOrder({ ...pair, targetAmount: '49.90' })
 * sandbox.payer.deposit({ address: order.address ?? '', amount: order.sourceAmount })
 * sandbox.payer.confirm(order.id).status // => 'confirmed'
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = withDefaults(options)
  const { clock, ledger, webhooks } = createOrders(options, settings)
  const wallets = createWallets(settings, clock.now)
  const payer = createPayer(ledger, clock.now)
  const answer = createAnswer({ settings, clock, ledger, wallets, payer, webhooks }, (request) =>
    sandbox.faults?.(request),
  )
  const sandboxFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    return answer(request)
  }
  const sandbox: Sandbox = {
    fetch: sandboxFetch,
    access: {
      baseUrl: 'https://sandbox.invalid',
      accessToken: settings.accessToken,
      subAccountId: settings.subAccountIds[0],
      fetch: sandboxFetch,
    },
    payer,
    clock,
    faults: options.faults,
    webhooks,
    orders: () => ledger.all(),
    wallets: () => wallets.all(),
    addOrder: (order) => addOrder(order, ledger, settings),
  }
  return sandbox
}

/**
 * The orders and their time. While there are receivers, orders change as soon as their time has
 * come.
 */
function createOrders(
  options: SandboxOptions,
  settings: SandboxSettings,
): Pick<Parts, 'clock' | 'ledger' | 'webhooks'> {
  const clock = createSandboxClock(settings.now, settings.sleep)
  const ledger = createLedger(settings, createAddressBook(settings.random), clock.now, (order, before) => {
    webhooks.notify(order, before)
    if (hasReceivers()) changeInTime(order.id)
  })
  const webhooks = createWebhooks(options.webhooks ?? {}, settings, clock, () => {
    for (const { id } of ledger.all()) changeInTime(id)
  })
  const hasReceivers = () => webhooks.receivers().length > 0
  const changeInTime = createOrderTimer(ledger.find, settings, clock, webhooks.stopped)
  const advance = (ms: number) => {
    clock.advance(ms)
    if (hasReceivers()) ledger.all()
  }
  return { clock: { ...clock, advance }, ledger, webhooks }
}

function addOrder(order: ForeignOrder, ledger: Ledger, settings: SandboxSettings): SandboxOrder {
  const body = {
    source_asset: order.sourceAsset,
    target_asset: order.targetAsset,
    network: order.network,
    source_amount: order.sourceAmount,
    target_amount: order.targetAmount,
  }
  try {
    return ledger.create({
      ...readNewOrder(body, order.subAccountId ?? settings.subAccountIds[0], settings),
      recipientEmail: order.recipientEmail ?? '',
      description: order.description ?? '',
      ...(order.place && { place: order.place }),
    })
  } catch (error) {
    if (error instanceof Refusal) throw new PaywindowError('invalid_request', error.message)
    throw error
  }
}

/** Answers requests to the service, for icons and for controls. */
function createAnswer(parts: Parts, faults: FaultHook): (request: Request) => Promise<Response> {
  const { settings, clock, ledger, wallets } = parts
  const dateMs = () => clock.now() + settings.dateAheadMs
  let nextCreation: Fault | undefined
  const failNextCreation = (fault: Fault) => {
    nextCreation = fault
  }

  function faultOf(request: Request): Fault | undefined {
    const isCreation = request.method === 'POST' && new URL(request.url).pathname === '/v1/order/exchange'
    if (!nextCreation || !isCreation) return faults(request)
    const fault = nextCreation
    nextCreation = undefined
    return fault
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/icons/')) return answerIcon(request, clock.now())
    if (pathname.startsWith('/sandbox/'))
      return answerJson(() => control(request, { ...parts, failNextCreation }), dateMs)
    const work = () => answerJson(() => serve(request, { settings, ledger, wallets, nowMs: clock.now }), dateMs)
    const fault = faultOf(request)
    return fault ? answerWithFault(fault, request, work, clock) : work()
  }
}

async function answerJson(work: () => Promise<Json>, dateMs: () => number): Promise<Response> {
  const [status, body] = await work().then(
    (json) => [200, json] as const,
    (error: unknown) => {
      if (error instanceof Refusal) return [error.status, { message: error.message }] as const
      if (error instanceof PaywindowError) return [400, { message: error.message }] as const
      throw error
    },
  )
  const headers = { 'content-type': 'application/json', date: new Date(dateMs()).toUTCString() }
  return new Response(writeJson(body), { status, headers })
}

function answerIcon(request: Request, nowMs: number): Response {
  const url = new URL(request.url)
  const expires = url.searchParams.get('expires')
  const icon = request.method === 'GET' ? drawIcon(url.pathname) : undefined
  const date = new Date(nowMs).toUTCString()
  if (!icon) return new Response(null, { status: 404, headers: { date } })
  if (expires !== null && Number(expires) <= nowMs) return new Response(null, { status: 403, headers: { date } })
  return new Response(icon, { headers: { 'content-type': 'image/png', date } })
}
