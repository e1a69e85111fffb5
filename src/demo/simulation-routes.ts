/**
 * `POST /simulate/…`: the buttons of the simulated payer. These routes exist only where the sandbox
 * plays the service.
 */
import type { PaywindowServer } from 'paywindow/server'
import { plain } from './headers.ts'
import { type Orders, referenceOf, tillOf } from './orders.ts'
import { isSimulation } from './payer-panel.ts'
import { readSession } from './session.ts'
import { Impossible, type SimulatedService } from './simulated-service.ts'

/** Answers with one sentence, which begins with `Done` if the simulation succeeded. */
export function createSimulationRoutes(
  simulated: SimulatedService,
  paywindow: PaywindowServer,
  orders: Orders,
): (request: Request) => Promise<Response> {
  /**
   * The service's orders for the visitor's own cart and till, found by the address and tag of the
   * deposit, as a payer would.
   */
  async function ordersOf(session: string) {
    const order = orders.current(session)
    const checkouts = (await paywindow.checkouts.list()).filter(
      ({ reference }) => reference === referenceOf(order) || reference.startsWith(`${tillOf(order)}.`),
    )
    return simulated
      .orders()
      .filter(({ address, tag }) =>
        checkouts.some(({ deposit }) => deposit !== null && deposit.address === address && deposit.tag === tag),
      )
  }

  return async (request) => {
    const simulation = new URL(request.url).pathname.replace('/simulate/', '')
    const session = readSession(request)
    if (request.method !== 'POST' || !isSimulation(simulation)) return plain('There is nothing here.', 404)
    if (session === null) return plain('Your visit has ended. Please open the shop again.', 403)
    try {
      return plain(`Done. ${simulated.simulate(simulation, await ordersOf(session))}`, 200)
    } catch (error) {
      if (error instanceof Impossible || isRefusal(error)) return plain(`Not possible now: ${error.message}`, 409)
      throw error
    }
  }
}

/**
 * Whether the sandbox refused something that a service could not do either, such as confirming an
 * order without a deposit.
 */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'invalid_request'
}
