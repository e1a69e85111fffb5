/** The exchange service, played in memory: for tests, demonstrations and trying things out. No money moves. */
import { PaywindowError } from '../contract/errors.ts'
import { createAddressBook } from './addresses.ts'
import { createAnswer, type Parts } from './answering.ts'
import { createSandboxClock, type SandboxClock } from './clock.ts'
import type { FaultHook } from './faults.ts'
import { createLedger, type Ledger, nextChangeAtMs } from './ledger.ts'
import { type SandboxOptions, type SandboxSettings, withDefaults } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { createPassingTime } from './passing-time.ts'
import { createPayer, type Payer } from './payer.ts'
import { readNewOrder } from './reading.ts'
import { Refusal } from './refusal.ts'
import { createWallets, type SandboxWallet } from './wallets.ts'
import type { SandboxWebhooks } from './webhook-types.ts'
import { createWebhooks } from './webhooks.ts'

/**
 * What a client of the sandbox needs: spread it into the options of `createServiceClient`.
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
 * An order that somebody else created on a sub-account, with the texts by which a list can be searched.
 *
 * @example
 * ```ts
 * const order: ForeignOrder = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '49.90' }
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
  /** An address that another order also has, as some services reuse them. Deposits go to the first order. Default: a new one. */
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
  /** Answers a request as the service would; `/icons/…` and the control paths `/sandbox/…` as well. */
  readonly fetch: typeof fetch
  readonly access: SandboxAccess
  readonly payer: Payer
  readonly clock: SandboxClock
  /** Decides what goes wrong from now on. */
  faults: FaultHook | undefined
  /** Tells whoever is registered of orders that were created, confirmed and canceled. */
  readonly webhooks: SandboxWebhooks
  /** All orders, including what the interface does not show, oldest first. */
  orders(): readonly SandboxOrder[]
  wallets(): readonly SandboxWallet[]
  /** Adds an order that did not come through `fetch`. Throws `invalid_request` when the service would refuse it. */
  addOrder(order: ForeignOrder): SandboxOrder
}

/**
 * Creates a sandbox with no orders. Nothing is shared between two of them.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox()
 * const order = sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '49.90' })
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

/** The orders and their time. While somebody gets webhooks, orders change as soon as their time has come. */
function createOrders(
  options: SandboxOptions,
  settings: SandboxSettings,
): Pick<Parts, 'clock' | 'ledger' | 'webhooks'> {
  const clock = createSandboxClock(settings.now, settings.sleep)
  const ledger = createLedger(settings, createAddressBook(settings.random), clock.now, (order, before) => {
    webhooks.note(order, before)
    if (isTold()) passTime(order.id)
  })
  const webhooks = createWebhooks(options.webhooks ?? {}, settings, clock, () => {
    for (const { id } of ledger.all()) passTime(id)
  })
  const isTold = () => webhooks.receivers().length > 0
  const dueAtMs = (id: string) => {
    const order = ledger.find(id)
    return order ? nextChangeAtMs(order, settings) : null
  }
  const passTime = createPassingTime({ dueAtMs, update: ledger.find }, clock, webhooks.stopped)
  const advance = (ms: number) => {
    clock.advance(ms)
    if (isTold()) ledger.all()
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
