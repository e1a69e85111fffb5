/**
 * Runs one flow against the merchant server. Sends nothing by itself: a scheduler calls `step` when
 * it is time, and whoever draws subscribes.
 */
import { nextTickMs } from '../checkout/countdown.ts'
import type { ReadClocks } from '../checkout/deadline.ts'
import { back, change, choose, type MethodChoice, renew, retry, startFlow } from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import { drawn, takenOver } from '../checkout/initial.ts'
import type { Initial } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import type { Api } from './api.ts'
import { createFollowing } from './following.ts'
import type { Poll } from './polling.ts'
import type { PaywindowActions, SessionState } from './state.ts'
import { createRequests, createStepper, holdFlow } from './step.ts'
import { createTicker } from './ticker.ts'
import type { BrowserWindow } from './world.ts'

interface SessionOptions {
  readonly api: Api
  readonly reference: string
  readonly method: MethodChoice | undefined
  /** A checkout of another device to look at, in place of one of its own. */
  readonly viewed: HandedOver | null
  /** What a server has drawn already. */
  readonly initial: Initial | null
  readonly window: BrowserWindow
  readonly clock: ReadClocks
  /** Called once per kind of failure until something succeeds. */
  readonly onError: (error: PaywindowError) => void
}

/** One flow, from the first request to the last. */
export interface Session {
  /** Names the session in the query cache. Says nothing about the payer. */
  readonly number: number
  /** What it began with, if a server has drawn it: then the first request can wait. */
  readonly drawn: Initial | null
  /**
   * In a browser: whether what was drawn may be shown there. The first call decides; where it may
   * not, the server is asked first.
   */
  takeOver(): boolean
  state(): SessionState
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /**
   * Does what comes next: creates, polls, renews. Does not reject on failures: they are part of the
   * state.
   */
  step(signal: AbortSignal): Promise<SessionState>
  /**
   * Milliseconds from the last answer to the next step, or false when nothing is asked by itself.
   */
  delayMs(): number | false
  readonly actions: PaywindowActions
  /**
   * Sends a request out of turn when that is useful or the payer pressed something, and ends a
   * quote on time.
   *
   * @returns a function that stops it.
   */
  follow(poll: Poll): () => void
}

let sessions = 0

/** Starts nothing: the first `step` sends the first request. */
export function createSession(options: SessionOptions): Session {
  const { method, viewed, initial, window, clock, onError } = options
  const first = startFlow(viewed ? { kind: 'view', id: viewed.id } : { kind: 'create', method })
  const held = holdFlow(initial ? drawn(first, initial) : first, clock)
  const { flow, state, subscribe, timeLeftMs, update } = held
  const requests = createRequests(options)
  const { step, delayMs, isDue } = createStepper(held, requests, window, clock, onError)
  const startTicking = createTicker(window, onError)
  const { follow, press } = createFollowing(held, window, clock, startTicking, isDue)
  let isTaken: boolean | undefined

  function takeOver(): boolean {
    if (isTaken === undefined) {
      const taken = initial && takenOver(flow(), initial, clock())
      isTaken = taken !== null
      if (initial) update(taken ?? first)
    }
    return isTaken
  }

  sessions += 1
  return {
    number: sessions,
    drawn: initial,
    takeOver,
    state,
    subscribe,
    step,
    delayMs,
    follow: (poll) => {
      const stop = follow(poll)
      const isFirst = isTaken === undefined
      if (initial && !takeOver() && isFirst) poll.restart()
      return stop
    },
    actions: {
      choose: (choice) => press(choose(flow(), choice)),
      renew: () => press(renew(flow())),
      change: () => press(change(flow())),
      back: () => press(back(flow(), clock())),
      retry: () => press(retry(flow())),
      handOver: async () => {
        const id = flow().shown?.checkout.id ?? ''
        const { token, expiresInMs } = await requests.handOver(id)
        return { id, token, untilMs: clock().wallMs + expiresInMs }
      },
      timeLeftMs,
      endsAtMs: () => clock().wallMs + timeLeftMs(),
      checkedAtMs: () => flow().checkedAt.wallMs,
      onTick: (callback) =>
        startTicking((page) => {
          const leftMs = timeLeftMs()
          if (!page.hidden) callback(leftMs)
          return nextTickMs(leftMs, page)
        }),
    },
  }
}
