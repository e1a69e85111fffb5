/**
 * Runs one flow against the merchant server. Holds the key of the checkout, in memory only, and gives it to nobody. It asks
 * nothing by itself: a poll calls `step` when it is time, and whoever draws subscribes.
 */
import { type Clock, clocksDiverged, type Reading, timeLeftMs } from '../checkout/deadline.ts'
import {
  answered,
  back,
  change,
  choose,
  type Flow,
  failed,
  type MethodChoice,
  type Pending,
  renew,
  retry,
  startFlow,
  type Task,
  type Trouble,
  ticked,
} from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import { nextDelayMs } from '../checkout/polling.ts'
import { type View, viewOf } from '../checkout/view.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import { createTicker, type StartTicking } from './ticker.ts'
import { isHidden, isVisible, whenVisible } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

interface SessionOptions {
  readonly api: Api
  readonly reference: string
  readonly method: MethodChoice | undefined
  /** A checkout of another device to look at, in place of one of its own. */
  readonly viewed: HandedOver | null
  readonly window: BrowserWindow
  readonly clock: Clock
  /** Told once per kind of failure until something succeeds. */
  readonly onError: (error: PaywindowError) => void
}

/** What is drawn. The same object until something of it changes. */
export interface SessionState {
  readonly view: View
  readonly pending: Pending | null
  readonly actionError: PaywindowError | null
  readonly trouble: Trouble | null
  /** Whether `choosing` was reached from a checkout that can be gone back to. */
  readonly canGoBack: boolean
}

export interface Session {
  /** Names the session in the query cache. Tells nothing about the payer. */
  readonly number: number
  /** Where it runs. */
  readonly window: BrowserWindow
  state(): SessionState
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Does what comes next: creates, polls, renews. Does not reject on failures: they are part of the state. */
  step(signal: AbortSignal): Promise<SessionState>
  /** Milliseconds from the last answer to the next step, or false when nothing is asked by itself. */
  delayMs(): number | false
  /** Whether asking now, out of turn, is of use and allowed. */
  isDue(): boolean
  /** Counts for everybody who does, with one timer. */
  readonly startTicking: StartTicking
  /** To be called when a second or the quote has passed. @returns whether a clock jumped, so that the server should be asked. */
  tick(): boolean
  timeLeftMs(): number
  /** Wall-clock time of the quote's end. */
  endsAtMs(): number
  /** Wall-clock time of the last good answer. */
  checkedAtMs(): number
  /** Asks for a token that shows this checkout on another device. Throws `PaywindowError`. */
  handOver(): Promise<HandoverLink>
  choose(method: MethodChoice): void
  renew(): void
  change(): void
  back(): void
  retry(): void
}

/** A checkout that can be shown elsewhere until a time, in milliseconds since 1970 by this device's clock. */
export interface HandoverLink extends HandedOver {
  readonly untilMs: number
}

let sessions = 0

/** Starts nothing: the first `step` sends the first request. */
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
    const id = flow.shown?.checkout.id ?? ''
    switch (task.kind) {
      case 'create':
        if (!isVisible(window)) await whenVisible(window, signal)
        return join(task, () => api.create({ reference, ...task.method }))
      case 'view':
        return ask(async () => {
          const answer = await api.read(task.id, key, signal)
          return answer.kind === 'status' ? { ...answer, kind: 'checkout', key } : answer
        })
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
      // The payer may have asked for something else meanwhile, or another caller has taken this answer in.
      if (!asked || flow.task !== task || signal.aborted) return state
      if (asked.answer.kind === 'checkout') key = asked.answer.key
      lastReported = undefined
      update(answered(flow, asked.answer, asked.sentAt, clock()))
    } catch (error) {
      if (signal.aborted || flow.task !== task) return state
      if (!(error instanceof PaywindowError)) throw error
      const isNew = error.code !== lastReported
      lastReported = error.code
      update(failed(flow, error, clock()))
      // Told last, because the page may press something in answer to it.
      if (isNew) onError(error)
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
      retryAfterMs: flow.notBeforeMs > now ? flow.notBeforeMs - now : undefined,
      jitter,
    })
  }

  const leftMs = () => (flow.shown ? timeLeftMs(flow.shown.deadline, clock()) : 0)

  return {
    number: sessions,
    window,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    step,
    delayMs,
    startTicking: createTicker(window),
    isDue: () => {
      const now = clock().monotonicMs
      return delayMs() !== false && now >= flow.notBeforeMs && now - flow.checkedAt.monotonicMs > 1000
    },
    tick: () => {
      const now = clock()
      const jumped = clocksDiverged(lastReading, now)
      lastReading = now
      update(ticked(flow, now))
      return jumped
    },
    timeLeftMs: leftMs,
    endsAtMs: () => clock().wallMs + leftMs(),
    checkedAtMs: () => flow.checkedAt.wallMs,
    handOver: async () => {
      const id = flow.shown?.checkout.id ?? ''
      const { token, expiresInMs } = await api.handOver(id, key)
      return { id, token, untilMs: clock().wallMs + expiresInMs }
    },
    choose: (choice) => update(choose(flow, choice)),
    renew: () => update(renew(flow)),
    change: () => update(change(flow)),
    back: () => update(back(flow, clock())),
    retry: () => update(retry(flow)),
  }
}

interface Asked {
  readonly answer: ApiAnswer
  readonly sentAt: Reading
}

function stateOf(flow: Flow, view?: View): SessionState {
  const { progress, pending, actionError, trouble } = flow
  const canGoBack = progress.step === 'choosing' && flow.shown !== undefined
  return { view: view ?? viewOf(progress), pending, actionError, trouble, canGoBack }
}
