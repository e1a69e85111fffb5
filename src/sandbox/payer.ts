/** The simulated payer, and the service's operator who confirms, refunds and cancels. */
import { canonicalDecimal, formatAtomic, toAtomic } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import { knownNetwork } from '../contract/networks/table.ts'
import type { Ledger } from './ledger.ts'
import { type Deposit, enter, messageAfter, type SandboxOrder, type Workflow, workflowAfter } from './order.ts'

/**
 * A payer's transfer to an address, with or without a tag.
 *
 * @example
 * ```ts
 * const deposit: PayerDeposit = { address: 'rPayee…', tag: '4711', amount: '88.5' }
 * ```
 */
export interface PayerDeposit extends Deposit {
  readonly address: string
  readonly tag?: string | null
}

/**
 * Whether a deposit found its order, and the order after it.
 *
 * @example
 * ```ts
 * const result: DepositResult = createSandbox().payer.deposit({ address: 'bc1q…', amount: '1' })
 * result // => { matched: false, reason: 'unknown_address' }
 * ```
 */
export type DepositResult =
  | { readonly matched: true; readonly order: SandboxOrder }
  | { readonly matched: false; readonly reason: 'unknown_address' | 'missing_tag' | 'unknown_tag' }

/**
 * What payers and the service do to orders. Every function but `deposit` throws `invalid_request`
 * if the order does not allow it.
 *
 * @example
 * ```ts
 * const { addOrder, payer }: { addOrder: Sandbox['addOrder']; payer: Payer } = createSandbox()
 * const request = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '5' }
 * payer.cancel(addOrder(request).id).status // => 'canceled'
 * ```
 */
export interface Payer {
  /**
   * Sends a deposit. Throws `invalid_amount` when the amount is zero or has more decimals than the
   * asset.
   */
  deposit(deposit: PayerDeposit): DepositResult
  /** Confirms the deposit: the order is paid. */
  confirm(orderId: string): SandboxOrder
  /** Accepts a late deposit: the order is paid. */
  acceptLate(orderId: string): SandboxOrder
  /** Returns the deposit of an unpaid order, which ends, or the excess of a paid order. */
  completeRefund(orderId: string): SandboxOrder
  /** Ends an order, even a paid order: payments can be reversed. */
  cancel(orderId: string): SandboxOrder
}

/** @param nowMs - The sandbox's time. */
export function createPayer(ledger: Ledger, nowMs: () => number): Payer {
  const change = (id: string, next: (order: SandboxOrder) => SandboxOrder) => {
    const order = ledger.find(id)
    if (!order) throw new PaywindowError('invalid_request', `No order ${id}`)
    const changed = next(order)
    ledger.replace(changed)
    return changed
  }
  return {
    deposit: (deposit) => {
      const order = findOrder(ledger.at(deposit.address), deposit)
      if (typeof order === 'string') return { matched: false, reason: order }
      return { matched: true, order: change(order.id, (found) => receive(found, deposit, nowMs())) }
    },
    confirm: (id) =>
      change(id, (order) => {
        if (order.workflow === 'detected') return paid(order, 'confirmed', nowMs())
        if (order.workflow === 'excess') return paid(order, 'confirmed_excess', nowMs())
        throw cannot('confirmed', order)
      }),
    acceptLate: (id) =>
      change(id, (order) => {
        if (order.workflow !== 'late') throw cannot('accepted as a late deposit', order)
        return paid(order, 'confirmed', nowMs())
      }),
    completeRefund: (id) => change(id, (order) => refund(order, nowMs())),
    cancel: (id) =>
      change(id, (order) => {
        if (order.workflow === 'canceled') throw cannot('canceled', order)
        return enter(order, 'canceled', order.status === 'confirmed' ? 'Order reversed' : 'Order canceled', nowMs())
      }),
  }
}

function findOrder(atAddress: readonly SandboxOrder[], { tag }: PayerDeposit) {
  const first = atAddress[0]
  if (!first) return 'unknown_address' as const
  if (first.network === null || !knownNetwork(first.network)?.needsTag) return first
  if (tag === undefined || tag === null || tag === '') return 'missing_tag' as const
  return atAddress.find((order) => order.tag === tag) ?? ('unknown_tag' as const)
}

function receive(order: SandboxOrder, deposit: PayerDeposit, nowMs: number): SandboxOrder {
  const { asset = order.sourceAsset, network = order.network } = deposit
  if (asset !== order.sourceAsset || network !== order.network) return receiveOther(order, deposit, nowMs)
  const atomic = toAtomic(deposit.amount, order.sourceDecimals)
  checkAmount(deposit.amount)
  const total = formatAtomic(toAtomic(order.received, order.sourceDecimals) + atomic, order.sourceDecimals)
  const workflow = workflowAfter(order, total, nowMs)
  return { ...enter(order, workflow, messageAfter(order, workflow, total), nowMs), received: total }
}

function receiveOther(order: SandboxOrder, deposit: PayerDeposit, nowMs: number): SandboxOrder {
  checkAmount(deposit.amount)
  switch (order.workflow) {
    case 'awaiting':
    case 'other_asset':
    case 'canceled':
      return enter(order, 'other_asset', messageAfter(order, 'other_asset', order.received), nowMs)
    case 'detected':
    case 'top_up':
    case 'excess':
    case 'late':
    case 'confirmed':
    case 'confirmed_excess':
      // The right deposit has arrived or may arrive: the wrong deposit is returned and changes
      // nothing.
      return { ...order, message: `${order.message} A deposit of another asset will be refunded`.trim() }
  }
}

function refund(order: SandboxOrder, nowMs: number): SandboxOrder {
  switch (order.workflow) {
    case 'top_up':
    case 'other_asset':
    case 'late':
    case 'detected':
    case 'excess':
      return enter(order, 'canceled', 'Deposit refunded, order canceled', nowMs)
    case 'confirmed_excess':
      return { ...enter(order, 'confirmed', 'Excess refunded', nowMs), received: order.sourceAmount }
    case 'awaiting':
    case 'confirmed':
    case 'canceled':
      throw cannot('refunded', order)
  }
}

function paid(order: SandboxOrder, workflow: Workflow, nowMs: number): SandboxOrder {
  return enter(order, workflow, messageAfter(order, workflow, order.received), nowMs)
}

function checkAmount(amount: string): void {
  if (canonicalDecimal(amount) === '0') throw new PaywindowError('invalid_amount', 'A deposit must be more than zero')
}

function cannot(what: string, order: SandboxOrder): PaywindowError {
  return new PaywindowError('invalid_request', `Order ${order.id} cannot be ${what}: it is ${order.workflow}`)
}
