/** The orders of a sandbox, and their changes as time passes. */
import { quoteLifetimeMs } from '../contract/quote.ts'
import type { Clock } from '../service/clock.ts'
import type { AddressBook } from './addresses.ts'
import { type SandboxAsset, sourceFor, targetFor } from './assets.ts'
import { timestamp } from './clock.ts'
import type { SandboxSettings } from './options.ts'
import { enter, messageAfter, type SandboxOrder } from './order.ts'
import { randomText, randomUuid } from './random.ts'
import { Refusal } from './reading.ts'

/** Node's timers last up to 24 days. */
const maxSleepMs = 86_400_000

/** An order to be created. */
export interface NewOrder {
  readonly subAccountId: string
  readonly source: SandboxAsset
  readonly target: SandboxAsset
  readonly amount: { readonly source: string } | { readonly target: string }
  readonly recipientEmail: string
  readonly description: string
  /** Where it is paid. Default: a new address or tag. */
  readonly place?: { readonly address: string; readonly tag: string | null }
}

/** The orders of one sandbox. Every read first brings the order up to the sandbox's time. */
export interface Ledger {
  create(order: NewOrder): SandboxOrder
  /** Oldest first. */
  all(): readonly SandboxOrder[]
  find(id: string): SandboxOrder | undefined
  /** The orders of an address, in any case of its letters if its network ignores case. */
  at(address: string): readonly SandboxOrder[]
  replace(order: SandboxOrder): void
}

/**
 * @param nowMs - The sandbox's time.
 * @param onChange - Called for each new or changed order. `before` is undefined for a new order.
 */
export function createLedger(
  settings: SandboxSettings,
  addresses: AddressBook,
  nowMs: () => number,
  onChange: (order: SandboxOrder, before: SandboxOrder | undefined) => void,
): Ledger {
  const orders = new Map<string, SandboxOrder>()
  const idsAt = new Map<string, string[]>()

  const put = (order: SandboxOrder) => {
    const before = orders.get(order.id)
    orders.set(order.id, order)
    onChange(order, before)
  }
  const find = (id: string) => {
    const order = orders.get(id)
    if (!order) return undefined
    const current = passTime(order, settings, nowMs())
    if (current !== order) put(current)
    return current
  }
  const findAll = (ids: Iterable<string>) => Array.from(ids, find).filter((order) => order !== undefined)
  return {
    find,
    all: () => findAll(orders.keys()),
    at: (address) => findAll(idsAt.get(addressKey(address)) ?? []),
    create: (request) => {
      const order = newOrder(request, settings, addresses, nowMs())
      put(order)
      if (order.address !== null) {
        const key = addressKey(order.address)
        const ids = idsAt.get(key) ?? []
        ids.push(order.id)
        idsAt.set(key, ids)
      }
      return order
    },
    replace: put,
  }
}

/**
 * Returns a function that changes an order when its time has come, although nobody reads it. It
 * works in the background until `stop` aborts.
 */
export function createOrderTimer(
  find: Ledger['find'],
  settings: SandboxSettings,
  { now, sleep }: Clock,
  stop: AbortSignal,
): (id: string) => void {
  const waiting = new Set<string>()

  async function follow(id: string): Promise<void> {
    const order = find(id)
    const atMs = order ? nextChangeAtMs(order, settings) : null
    const key = `${id} ${atMs}`
    if (atMs === null || stop.aborted || waiting.has(key)) return
    waiting.add(key)
    try {
      await sleep(Math.min(Math.max(atMs - now(), 0), maxSleepMs), stop)
    } finally {
      waiting.delete(key)
    }
    // If the clock was set back, the time has not come. After a change another one may follow.
    await follow(id)
  }

  return (id) => {
    follow(id).catch((error: unknown) => {
      if (!stop.aborted) throw error
    })
  }
}

/** Letter case is a checksum in Ethereum addresses; QR codes may have bech32 in capitals. */
function addressKey(address: string): string {
  return /^(?:0x|tb1|tltc1)/i.test(address) ? address.toLowerCase() : address
}

function newOrder(request: NewOrder, settings: SandboxSettings, addresses: AddressBook, nowMs: number): SandboxOrder {
  const { source, target, amount } = request
  const rateOf = settings.ratesAt(nowMs)
  const finer = randomText(settings.random, '0123456789', settings.finerDigits)
  const targetAmount = 'target' in amount ? amount.target : targetFor(source, target, amount.source, rateOf)
  if (targetAmount === '0') throw new Refusal(400, 'The amount is too small')
  const deposit =
    request.place ?? (source.network === null ? { address: null, tag: null } : addresses.next(source.network))
  return {
    id: randomUuid(settings.random),
    subAccountId: request.subAccountId,
    workflow: 'awaiting',
    status: 'open',
    message: '',
    recipientEmail: request.recipientEmail,
    description: request.description,
    sourceAsset: source.symbol,
    // A test may ask for a quote with more decimals than the asset has.
    sourceDecimals: Math.max(source.decimals, source.quoteDecimals),
    sourceAmount: 'source' in amount ? amount.source : sourceFor(source, target, amount.target, rateOf),
    targetAsset: target.symbol,
    targetAmount,
    network: source.network,
    ...deposit,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + quoteLifetimeMs,
    appearsAtMs: nowMs + settings.appearAfterMs(),
    createdAt: timestamp(nowMs, finer),
    validUntil: timestamp(nowMs + quoteLifetimeMs, finer),
    received: '0',
    changedAtMs: nowMs,
  }
}

function passTime(order: SandboxOrder, settings: SandboxSettings, nowMs: number): SandboxOrder {
  const dueAtMs = nextChangeAtMs(order, settings)
  if (dueAtMs === null || nowMs < dueAtMs) return order
  if (order.workflow === 'awaiting') return enter(order, 'canceled', 'Canceled without a deposit', dueAtMs)
  const workflow = order.workflow === 'excess' ? 'confirmed_excess' : 'confirmed'
  return enter(order, workflow, messageAfter(order, workflow, order.received), dueAtMs)
}

/** When an order changes by itself, in the sandbox's time; null if it does not. */
function nextChangeAtMs(order: SandboxOrder, settings: SandboxSettings): number | null {
  const { autoConfirmMs, cancelExpiredAfterMs } = settings
  switch (order.workflow) {
    case 'detected':
    case 'excess':
      return autoConfirmMs === null ? null : order.changedAtMs + autoConfirmMs
    case 'awaiting':
      return cancelExpiredAfterMs === null ? null : order.expiresAtMs + cancelExpiredAfterMs
    case 'top_up':
    case 'other_asset':
    case 'late':
    case 'confirmed':
    case 'confirmed_excess':
    case 'canceled':
      return null
  }
}
