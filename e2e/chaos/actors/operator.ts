/** What people do at the service: deposits arrive; an operator confirms, refunds and cancels. */
import { PaywindowError } from '../../../src/contract/errors.ts'
import type { SandboxOrder } from '../../../src/sandbox/index.ts'
import type { PayerDeposit } from '../../../src/sandbox/payer.ts'
import { createRandomStream } from '../world/random.ts'
import type { World } from '../world/types.ts'

/** What people do at the service. */
export interface Operator {
  /** Makes a deposit arrive. Returns its order; undefined, and a violation, if it has none. */
  deposit(transfer: PayerDeposit): SandboxOrder | undefined
  /** Lets the operator handle an order later. `ifLate`: what happens to a late deposit. */
  handle(orderId: string, ifLate: 'accept' | 'refund'): void
  cancel(orderId: string): void
}

/** Draws its decisions from a random stream of its own. */
export function createOperator(world: World): Operator {
  const { plan, time, oracle, sandbox, findings, faults } = world
  const random = createRandomStream(plan.seed, 'operator')
  const { payer } = sandbox

  const act = createAct({ oracle, findings })

  async function attend(orderId: string, ifLate: 'accept' | 'refund'): Promise<void> {
    await time.sleep(random.between(8, 150) * 1_000)
    const order = oracle.order(orderId)?.now()
    switch (order?.workflow) {
      case 'detected':
        act('orders confirmed', () => payer.confirm(orderId))
        if (random.chance(0.02)) await reverse(orderId)
        return
      case 'excess':
        act('orders confirmed', () => payer.confirm(orderId))
        await time.sleep(random.between(1, 600) * 1_000)
        act('refunds', () => payer.completeRefund(orderId))
        return
      case 'late':
        if (ifLate === 'accept') act('late deposits accepted', () => payer.acceptLate(orderId))
        else act('refunds', () => payer.completeRefund(orderId))
        return
      case 'other_asset':
        act('refunds', () => payer.completeRefund(orderId))
        return
      case 'top_up':
        // A payer who never sends the rest gets the first part back.
        await time.sleep(random.between(30, 90) * 60_000)
        if (oracle.order(orderId)?.now().workflow === 'top_up') act('refunds', () => payer.completeRefund(orderId))
        return
      case 'confirmed':
      case 'confirmed_excess':
        if (random.chance(0.02)) await reverse(orderId)
    }
  }

  async function reverse(orderId: string): Promise<void> {
    await time.sleep(random.between(1, 15) * 3_600_000)
    act('reversals', () => payer.cancel(orderId))
  }

  return {
    deposit: (transfer) => {
      oracle.note()
      const result = payer.deposit(transfer)
      oracle.note()
      findings.trace('deposit', transfer.amount, result.matched ? result.order.id : result.reason)
      if (result.matched) return result.order
      findings.violate('wrong digits', `a payer's money went to no order: ${result.reason}`)
      return undefined
    },
    handle: (orderId, ifLate) => {
      void attend(orderId, ifLate)
    },
    cancel: (orderId) => {
      act('orders canceled', () => payer.cancel(orderId))
      if (faults.strikes('service: confirms days after it canceled')) void confirmAfterDays(world, orderId)
    },
  }
}

/** Pays an order that was canceled three days ago. It must be told as paid within a day. */
async function confirmAfterDays(
  { plan, time, oracle, sandbox, findings, audit, ledger }: World,
  orderId: string,
): Promise<void> {
  const hourMs = 3_600_000
  await time.sleep(createRandomStream(plan.seed, `payment of ${orderId}`).between(73, 78) * hourMs)
  const order = oracle.order(orderId)?.now()
  if (order?.workflow !== 'canceled' || order.address === null) return
  oracle.note()
  sandbox.payer.deposit({ address: order.address, tag: order.tag, amount: order.sourceAmount })
  sandbox.payer.acceptLate(orderId)
  oracle.note()
  findings.count('confirmed days after they were canceled')
  await time.sleep(24 * hourMs)
  const checkout = audit.checkoutAt(order.address, order.tag)
  if (checkout?.binding && ledger.statusOf(checkout.id) !== 'confirmed')
    findings.violate('delivered late', `checkout ${checkout.id} was canceled, and confirmed a day ago`)
}

/** Returns a function that carries out a decision, unless the order has changed since. */
function createAct({ oracle, findings }: Pick<World, 'oracle' | 'findings'>) {
  return (what: string, act: () => SandboxOrder): SandboxOrder | undefined => {
    oracle.note()
    try {
      const order = act()
      oracle.note()
      findings.trace('operator', what, order.id, order.workflow)
      return order
    } catch (error) {
      // The order has changed since the decision, for example because somebody else was faster.
      if (error instanceof PaywindowError && error.code === 'invalid_request') return undefined
      throw error
    }
  }
}

/** Creates orders of somebody else on the same sub-account. Some equal one of the shop's. */
export async function runStrangers(world: World, until: () => boolean): Promise<void> {
  const { plan, time, oracle, sandbox, audit, faults } = world
  const random = createRandomStream(plan.seed, 'strangers')
  const everyMs = plan.strangersEveryMs
  if (everyMs === null) return
  while (!until() && !faults.stopped) {
    await time.sleep(random.between(everyMs / 4, everyMs * 2))
    const ours = [...audit.checkouts.values()].slice(-6)
    const model = ours.length > 0 && random.chance(0.6) ? random.pick(ours) : undefined
    const kind = model ? 'service: equal order of somebody else' : 'service: other order of somebody else'
    if (!faults.strikes(kind)) continue
    const place = model?.instructions && faults.strikes('service: address used again') ? model.instructions : undefined
    const amount = place && random.chance(0.5) ? undefined : model?.terms.price.amount
    const order = sandbox.addOrder({
      sourceAsset: model?.method.asset ?? random.pick(['BTC', 'LTC', 'USDC']),
      targetAsset: model?.terms.price.asset ?? 'USD',
      targetAmount: amount ?? String(random.between(5, 5_000)),
      ...(model && { network: model.method.network }),
      ...(place && { place }),
    })
    oracle.note()
    // A deposit at an address with two orders would go to the shop's order, which is the first one.
    if (place || !random.chance(0.5)) continue
    void time.sleep(random.between(5, 300) * 1_000).then(() => {
      oracle.note()
      const { address, tag, sourceAmount } = order
      if (address !== null) sandbox.payer.deposit({ address, tag, amount: sourceAmount })
      oracle.note()
      return time.sleep(random.between(5, 120) * 1_000).then(() => {
        if (oracle.order(order.id)?.now().workflow === 'detected') sandbox.payer.confirm(order.id)
        oracle.note()
      })
    })
  }
}
