/**
 * An order of the sandbox, and its changes by deposits, as pure functions of order, deposit and
 * time. The interface shows the service's workflows (top-up, refund) only in `status` and
 * `message`.
 */
import type { OrderStatus } from '../contract/checkout.ts'
import { toAtomic } from '../contract/decimal.ts'

/**
 * Where an order stands inside the service.
 *
 * @example
 * ```ts
 * const final: readonly Workflow[] = ['confirmed', 'confirmed_excess', 'canceled']
 * ```
 */
export type Workflow =
  | 'awaiting'
  | 'detected'
  | 'top_up'
  | 'excess'
  | 'other_asset'
  | 'late'
  | 'confirmed'
  | 'confirmed_excess'
  | 'canceled'

/** The status that the interface shows for each workflow. */
const statusOfWorkflow: Readonly<Record<Workflow, OrderStatus>> = {
  awaiting: 'open',
  detected: 'pending',
  top_up: 'pending',
  excess: 'pending',
  other_asset: 'pending',
  late: 'pending',
  confirmed: 'confirmed',
  confirmed_excess: 'confirmed',
  canceled: 'canceled',
}

/**
 * An order with all that the service knows, even what its interface hides. Amounts are canonical
 * decimal text.
 *
 * @example
 * ```ts
 * const missing = ({ workflow, received, sourceAmount }: SandboxOrder) =>
 *   workflow === 'top_up' && `${received} of ${sourceAmount}`
 * ```
 */
export interface SandboxOrder {
  readonly id: string
  readonly subAccountId: string
  readonly workflow: Workflow
  readonly status: OrderStatus
  readonly message: string
  readonly recipientEmail: string
  readonly description: string
  readonly sourceAsset: string
  /** Digits after the point that a deposit can have. */
  readonly sourceDecimals: number
  readonly sourceAmount: string
  readonly targetAsset: string
  readonly targetAmount: string
  /** Null for a fiat source, like the address. */
  readonly network: string | null
  readonly address: string | null
  readonly tag: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** When the order first appears in the list and the details. */
  readonly appearsAtMs: number
  /** As the interface writes it; so is `validUntil`. */
  readonly createdAt: string
  readonly validUntil: string
  /** The sum of all deposits of the source asset. */
  readonly received: string
  /** When the workflow last changed. */
  readonly changedAtMs: number
}

/** A deposit to an order's address. Default of `asset` and `network`: those of the order. */
export interface Deposit {
  readonly asset?: string
  readonly network?: string
  readonly amount: string
}

/** The order in another workflow, with its message. */
export function enter(order: SandboxOrder, workflow: Workflow, message: string, nowMs: number): SandboxOrder {
  return { ...order, workflow, status: statusOfWorkflow[workflow], message, changedAtMs: nowMs }
}

/** The workflow after a deposit of the right asset. `total` is the sum of all deposits. */
export function workflowAfter(order: SandboxOrder, total: string, nowMs: number): Workflow {
  switch (order.workflow) {
    case 'awaiting':
    case 'other_asset':
      return nowMs < order.expiresAtMs ? byAmount(order, total) : 'late'
    case 'top_up':
      // The service asked for this deposit, so it is accepted even after the quote ended.
      return byAmount(order, total)
    case 'detected':
    case 'excess':
      return 'excess'
    case 'late':
    case 'canceled':
      return 'late'
    case 'confirmed':
    case 'confirmed_excess':
      return 'confirmed_excess'
  }
}

/** The message of an order in a workflow. */
export function messageAfter(order: SandboxOrder, workflow: Workflow, total: string): string {
  const asset = order.sourceAsset
  switch (workflow) {
    case 'awaiting':
      return ''
    case 'detected':
      return 'Deposit detected, waiting for confirmations'
    case 'top_up':
      return `Received ${total} of ${order.sourceAmount} ${asset}: waiting for a top-up of the missing amount`
    case 'excess':
      return `Received ${total} ${asset}, more than ${order.sourceAmount}: the excess will be refunded`
    case 'other_asset':
      return `Received an asset other than ${asset}: the deposit will be refunded`
    case 'late':
      return 'Late deposit: it arrived after the quote ended. The deposit will be refunded'
    case 'confirmed':
      return ''
    case 'confirmed_excess':
      return `Received ${total} ${asset}, more than ${order.sourceAmount}: the excess is being refunded`
    case 'canceled':
      return 'Order canceled'
  }
}

function byAmount(order: SandboxOrder, total: string): Workflow {
  const missing = toAtomic(order.sourceAmount, order.sourceDecimals) - toAtomic(total, order.sourceDecimals)
  if (missing === 0n) return 'detected'
  return missing > 0n ? 'top_up' : 'excess'
}
