/**
 * Runs one flow against the merchant server. Holds the checkout's key, in memory only, and gives it to nobody. Sends nothing by itself:
 * a scheduler calls `step` when it is time, and whoever draws subscribes.
 */
import { nextTickMs } from '../checkout/countdown.ts'
import { clocksDiverged, timeLeftMs as leftOf, type ReadClocks, type Reading } from '../checkout/deadline.ts'
import {
  answered,
  back,
  change,
  choose,
  type Flow,
  failed,
  type MethodChoice,
  renew,
  retry,
  startFlow,
  type Task,
  ticked,
} from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import { nextDelayMs } from '../checkout/polling.ts'
import { isTransient } from '../checkout/view.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import type { Poll } from './polling.ts'
import { type PaywindowActions, type SessionState, stateOf } from './state.ts'
import { createTicker, type Page } from './ticker.ts'
import { isHidden, isVisible, onAttention, whenVisible } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

interface SessionOptions {
  readonly api: Api
  readonly reference: string
  readonly method: MethodChoice | undefined
  /** A checkout of another device to look at, in place of one of its own. */
  readonly viewed: HandedOver | null
  readonly window: BrowserWindow
  readonly clock: ReadClocks
  /** Called once per kind of failure until something succeeds. */
  readonly onError: (error: PaywindowError) => void
}

/** One flow, from the first request to the last. */
export interface Session {
  /** Names the session in the query cache. Says nothing about the payer. */
  readonly number: number
  state(): SessionState
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Does what comes next: creates, polls, renews. Does not reject on failures: they are part of the state. */
  step(signal: AbortSignal): Promise<SessionState>
  /** Milliseconds from the last answer to the next step, or false when nothing is asked by itself. */
  delayMs(): number | false
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
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: four parts that share this state make the script 0.16 kB larger, and it has 0.03 kB left.
export function createSession({ api, reference, method, viewed, window, clock, onError }: SessionOptions): Session {
  sessions += 1
  const listeners = new Set<() => void>()
  let flow = startFlow(viewed ? { kind: 'view', id: viewed.id } : { kind: 'create', method }, clock())
  let state = stateOf(flow)
  let key = viewed?.token ?? ''
  let inFlight: { readonly task: Task; readonly request: Promise<Asked> } | undefined
  let lastReading = clock()
  let lastReported: string | undefined
  let jitter = window.Math.random()
  const startTicking = createTicker(window)
  let stopTicking: (() => void) | undefined
  let poll: Poll | undefined

  function update(next: Flow): void {
    const before = flow
    flow = next
    const same =
      before.progress === next.progress &&
      before.pending === next.pending &&
      before.actionError === next.actionError &&
      before.trouble === next.trouble
    if (same) return
    state = stateOf(next, before.progress === next.progress ? state.view : undefined)
    count()
    for (const listener of listeners) listener()
  }

  async function ask(request: () => Promise<ApiAnswer>): Promise<Asked> {
    const sentAt = clock()
    return { answer: await request(), sentAt }
  }

  /** A creation or renewal that is on its way is joined, not sent again, and not taken back when a component unmounts. */
  function join(task: Task, request: () => Promise<ApiAnswer>): Promise<Asked> {
    if (inFlight?.task !== task) inFlight = { task, request: ask(request) }
    return inFlight.request
  }

  async function send(task: Task, signal: AbortSignal): Promise<Asked | null> {
    const id = shownId()
    switch (task.kind) {
      case 'create':
        if (!isVisible(window)) await whenVisible(window, signal)
        return join(task, () => api.create({ reference, ...task.method }))
      case 'view':
        return ask(async () => ({ ...(await api.read(task.id, key, signal)), kind: 'checkout', key }))
      case 'renew':
        return join(task, () => api.renew(id, key))
      case 'offer':
        return ask(() => api.offer(reference))
      case 'poll':
        return ask(() => api.read(id, key, signal))
      case 'rest':
        return null
    }
  }

  async function step(signal: AbortSignal): Promise<SessionState> {
    const { task } = flow
    try {
      const asked = await send(task, signal)
      // The payer may have asked for something else meanwhile, or another caller may have handled this answer.
      if (!asked || flow.task !== task || signal.aborted) return state
      if (asked.answer.kind === 'checkout') key = asked.answer.key
      lastReported = undefined
      update(answered(flow, asked.answer, asked.sentAt, clock()))
    } catch (error) {
      if (signal.aborted || flow.task !== task) return state
      if (!(error instanceof PaywindowError)) throw error
      // A refusal that the merchant server did not name gets six digits, so that payer and page have the same reference.
      if (!error.incident && !isTransient(error.code))
        Object.assign(error, { incident: window.Math.random().toFixed(6).slice(2) })
      update(failed(flow, error, clock()))
      // Called last, because the page may press something in response.
      if (error.code !== lastReported) onError(error)
      lastReported = error.code
      // The checkout that was to be renewed has a deposit: show it at once.
      if (error.code === 'already_seen' && flow.task.kind === 'poll' && !signal.aborted) return step(signal)
    }
    jitter = window.Math.random()
    return state
  }

  function delayMs(): number | false {
    const now = clock().monotonicMs
    return nextDelayMs({
      view: flow.pending ? 'preparing' : state.view.kind,
      shownForMs: now - flow.shownSinceMs,
      hidden: isHidden(window),
      failures: flow.failures,
      retryAfterMs: flow.notBeforeMs - now,
      jitter,
    })
  }

  const shownId = () => flow.shown?.checkout.id ?? ''
  const timeLeftMs = () => (flow.shown ? leftOf(flow.shown.deadline, clock()) : 0)

  /** Whether a request now, out of turn, is useful and allowed. */
  function isDue(): boolean {
    const now = clock().monotonicMs
    return delayMs() !== false && now >= flow.notBeforeMs && now - flow.checkedAt.monotonicMs > 1000
  }

  /** A second or the quote has passed. When a clock jumped, the server is asked. */
  function tick(page: Page): number {
    const now = clock()
    const jumped = clocksDiverged(lastReading, now)
    lastReading = now
    update(ticked(flow, now))
    if (jumped) poll?.join()
    return nextTickMs(timeLeftMs(), page)
  }

  function count(): void {
    if (poll && state.view.kind === 'waiting') stopTicking ??= startTicking(tick)
    else {
      stopTicking?.()
      stopTicking = undefined
    }
  }

  function press(next: Flow): void {
    const before = state
    update(next)
    if (state !== before) poll?.restart()
  }

  return {
    number: sessions,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    step,
    delayMs,
    follow: (follower) => {
      poll = follower
      const stopListening = onAttention(window, () => (isDue() ? follower.join() : follower.quicken()))
      count()
      return () => {
        poll = undefined
        stopListening()
        count()
      }
    },
    actions: {
      choose: (choice) => press(choose(flow, choice)),
      renew: () => press(renew(flow)),
      change: () => press(change(flow)),
      back: () => press(back(flow, clock())),
      retry: () => press(retry(flow)),
      handOver: async () => {
        const id = shownId()
        const { token, expiresInMs } = await api.handOver(id, key)
        return { id, token, untilMs: clock().wallMs + expiresInMs }
      },
      timeLeftMs,
      endsAtMs: () => clock().wallMs + timeLeftMs(),
      checkedAtMs: () => flow.checkedAt.wallMs,
      onTick: (callback) =>
        startTicking((page) => {
          const leftMs = timeLeftMs()
          if (!page.hidden) callback(leftMs)
          return nextTickMs(leftMs, page)
        }),
    },
  }
}

interface Asked {
  readonly answer: ApiAnswer
  readonly sentAt: Reading
}
