/** Runs one flow against the merchant server. Sends nothing by itself: a scheduler calls `step` when it is time, and whoever draws subscribes. */
import { back, change, choose, renew, retry, startFlow } from '../checkout/flow.ts'
import type { PaywindowError } from '../contract/errors.ts'
import { createFlowState } from './flow-state.ts'
import { createFollowing } from './following.ts'
import type { Poll } from './polling.ts'
import { createRequests, type RequestOptions } from './requests.ts'
import type { PaywindowActions, SessionState } from './state.ts'
import { createStepping, type Stepping } from './stepping.ts'

interface SessionOptions extends RequestOptions {
  /** Called once per kind of failure until something succeeds. */
  readonly onError: (error: PaywindowError) => void
}

/** One flow, from the first request to the last. */
export interface Session extends Stepping {
  /** Names the session in the query cache. Says nothing about the payer. */
  readonly number: number
  state(): SessionState
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  readonly actions: PaywindowActions
  /**
   * Sends a request out of turn when that is useful or the payer pressed something, and ends a quote on time.
   *
   * @returns a function that stops it.
   */
  follow(poll: Poll): () => void
}

let sessions = 0

/** Starts nothing: the first `step` sends the first request. */
export function createSession(options: SessionOptions): Session {
  sessions += 1
  const { method, viewed, clock } = options
  const flows = createFlowState(
    startFlow(viewed ? { kind: 'view', id: viewed.id } : { kind: 'create', method }, clock()),
  )
  const requests = createRequests(options)
  const stepping = createStepping(flows, requests, options)
  const { follow, press, timeLeftMs, onTick } = createFollowing(flows, stepping.delayMs, options)

  return {
    number: sessions,
    state: () => flows.state,
    subscribe: flows.subscribe,
    ...stepping,
    follow,
    actions: {
      choose: (choice) => press(choose(flows.flow, choice)),
      renew: () => press(renew(flows.flow)),
      change: () => press(change(flows.flow)),
      back: () => press(back(flows.flow, clock())),
      retry: () => press(retry(flows.flow)),
      handOver: () => requests.handOver(flows.flow.shown?.checkout.id ?? ''),
      timeLeftMs,
      endsAtMs: () => clock().wallMs + timeLeftMs(),
      checkedAtMs: () => flows.flow.checkedAt.wallMs,
      onTick,
    },
  }
}
