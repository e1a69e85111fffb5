/**
 * The sandbox in place of the exchange service, with a clock that the shop can move and everything
 * that a payer could do.
 */
import { createSandbox } from 'paywindow/sandbox'
import { halfOf, missingOf, sumOf } from './amounts.ts'
import type { Simulation } from './payer-panel.ts'

type Sandbox = ReturnType<typeof createSandbox>
type SandboxOrder = ReturnType<Sandbox['orders']>[number]

/** The sandbox as the demo uses it. */
export interface SimulatedService {
  /** What `createPaywindow` takes as its service. */
  readonly service: { baseUrl: string; accessToken: string; subAccountId: string } & Pick<Sandbox, 'fetch' | 'clock'>
  /** Every order of the service, oldest first. */
  orders(): readonly SandboxOrder[]
  /** Moves the clock of the service and the shop. */
  advance(ms: number): void
  /**
   * Does what a payer or the service would do next.
   *
   * @param orders - Those of one cart, oldest first.
   * @returns What happened, in one sentence.
   * @throws Impossible when it cannot happen now.
   */
  simulate(simulation: Simulation, orders: readonly SandboxOrder[]): string
}

/** How a simulated service can be set up. */
interface SimulatedServiceOptions {
  readonly creationId?: boolean
  readonly advance?: (ms: number) => void
}

/** Thrown when what was asked for cannot happen at the moment. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

/**
 * A simulated service that calls the sandbox within this process, without a socket.
 *
 * @param options - `creationId`: as the sandbox has it. `advance`: moves the clock of everybody.
 *   Default: only that of service and shop.
 */
export function createSimulatedService({
  creationId = false,
  advance,
}: SimulatedServiceOptions = {}): SimulatedService {
  const account = { accessToken: 'sandbox-access-token', subAccountId: 'sandbox-sub-account' }
  const sandbox = createSandbox({ accessToken: account.accessToken, subAccountIds: [account.subAccountId], creationId })
  const { payer, clock } = sandbox
  const passTime = advance ?? clock.advance

  /** @throws Impossible where nothing arrives. */
  function deposit({ id, address, tag, network, sourceAsset }: SandboxOrder, amount: string, asset = sourceAsset) {
    if (address === null || network === null) throw new Impossible(`Order ${id} takes no deposits.`)
    const result = payer.deposit({ address, tag, network, asset, amount })
    if (!result.matched) throw new Impossible(`No order matches the deposit: ${result.reason}.`)
    return `Sent ${amount} ${asset}. ${said(result.order)}`
  }

  function expire(order: SandboxOrder): string {
    if (isOver(order)) throw new Impossible('The quote has already ended.')
    passTime(order.expiresAtMs - clock.now() + 1000)
    return 'The clock is past the end of the quote.'
  }

  const isOver = ({ expiresAtMs }: SandboxOrder) => expiresAtMs <= clock.now()

  function simulate(simulation: Simulation, orders: readonly SandboxOrder[]): string {
    const newest = orders.at(-1)
    if (!newest) throw new Impossible('There is no quote yet: choose what to pay with first.')
    const touched = orders.findLast(({ status }) => status !== 'open')
    switch (simulation) {
      case 'exact':
        return deposit(newest, newest.sourceAmount)
      case 'less':
        return deposit(newest, halfOf(newest))
      case 'top-up': {
        const short = orders.findLast(({ workflow }) => workflow === 'top_up')
        if (!short) throw new Impossible('No deposit needs a top-up.')
        return deposit(short, missingOf(short))
      }
      case 'more':
        return deposit(newest, sumOf(newest, halfOf(newest)))
      case 'wrong-asset':
        return deposit(newest, '1', newest.sourceAsset === 'DOGE' ? 'SHIB' : 'DOGE')
      case 'confirm':
        return said(payer.confirm((touched ?? newest).id))
      case 'expire':
        return expire(newest)
      case 'late': {
        const old = orders.findLast(isOver)
        if (!old) throw new Impossible('No quote has ended yet.')
        return deposit(old, old.sourceAmount)
      }
      case 'refund':
        return said(payer.completeRefund((touched ?? newest).id))
      case 'cancel':
        return said(payer.cancel(newest.id))
    }
  }

  return {
    service: { baseUrl: 'https://sandbox.invalid', ...account, fetch: sandbox.fetch, clock },
    orders: () => sandbox.orders(),
    advance: passTime,
    simulate,
  }
}

function said({ status, message }: SandboxOrder): string {
  return `The service's order is ${status}${message ? `: “${message}”` : '.'}`
}
