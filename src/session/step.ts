/** Holds the flow of a session, sends what the flow asks for next, and says when. */
import { type ReadClocks, type Reading, timeLeftMs } from '../checkout/deadline.ts'
import { answered, type Flow, failed, type MethodChoice, type Task } from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import { nextDelayMs } from '../checkout/polling.ts'
import { isTransient } from '../checkout/view.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import type { Session } from './session.ts'
import { type SessionState, stateOf } from './state.ts'
import { isHidden, isVisible, whenVisible } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/** Who does the steps of a session. */
interface Stepper extends Pick<Session, 'step' | 'delayMs'> {
  /** Whether a request now, out of turn, is useful and allowed. */
  isDue(): boolean
}

/** @param onError - Called once per kind of failure until something succeeds. */
export function createStepper(
  { flow, state, update }: HeldFlow,
  requests: Requests,
  window: BrowserWindow,
  clock: ReadClocks,
  onError: (error: PaywindowError) => void,
): Stepper {
  let lastReported: string | undefined
  /**
   * Drawn after each step, and not before the first: the session may be created while a page is
   * drawn on a server.
   */
  let jitter = 0
  /** When the last request was sent; not of one that failed. */
  let sentMs = Number.NEGATIVE_INFINITY

  async function step(signal: AbortSignal): Promise<void> {
    const { task, shown } = flow()
    // The payer may have asked for something else meanwhile, or another caller may have handled
    // this answer.
    const isOld = () => flow().task !== task || signal.aborted
    sentMs = clock().monotonicMs
    try {
      const asked = await requests.send(task, shown?.checkout.id ?? '', signal)
      if (!asked || isOld()) return
      requests.use(asked.answer)
      lastReported = undefined
      update(answered(flow(), asked.answer, asked.sentAt, clock()))
    } catch (cause) {
      if (isOld()) return
      // Whatever it is, the payer sees a screen and the page hears of it.
      const error =
        cause instanceof PaywindowError ? cause : new PaywindowError('internal', 'The widget failed', { cause })
      sentMs = Number.NEGATIVE_INFINITY
      // A refusal that the merchant server did not name gets six digits, so that payer and page
      // have the same reference.
      if (!error.incident && !isTransient(error.code))
        Object.assign(error, { incident: window.Math.random().toFixed(6).slice(2) })
      update(failed(flow(), error, clock()))
      // Called last, because the page may press something in response.
      if (error.code !== lastReported) onError(error)
      lastReported = error.code
      // The checkout that was to be renewed has a deposit: show it at once.
      if (error.code === 'already_seen' && flow().task.kind === 'poll' && !signal.aborted) return step(signal)
    }
    jitter = window.Math.random()
  }

  function delayMs(): number | false {
    const { task, pending, shownSinceMs, failures, notBeforeMs } = flow()
    const now = clock().monotonicMs
    // One that is refused is asked for on where the server may know it again.
    if (task.kind === 'rest') return false
    return nextDelayMs({
      view: pending ? 'preparing' : state().view.kind,
      shownForMs: now - shownSinceMs,
      hidden: isHidden(window),
      failures,
      retryAfterMs: notBeforeMs - now,
      jitter,
    })
  }

  return {
    step: async (signal) => {
      await step(signal)
      return state()
    },
    delayMs,
    isDue: () => {
      const now = clock().monotonicMs
      // What was asked or answered a moment ago is as good.
      const recentMs = Math.max(sentMs, flow().checkedAt.monotonicMs)
      return delayMs() !== false && now >= flow().notBeforeMs && now - recentMs > 1000
    },
  }
}

/** An answer, and when its request was sent. */
interface Asked {
  readonly answer: ApiAnswer
  readonly sentAt: Reading
}

interface RequestOptions {
  readonly api: Api
  readonly reference: string
  readonly method: MethodChoice | undefined
  readonly viewed: HandedOver | null
  readonly window: BrowserWindow
  readonly clock: ReadClocks
}

/** The requests of one session. `id` is that of the checkout that is shown. */
export interface Requests {
  /** Null where nothing is to be sent. Rejects with a `PaywindowError`. */
  send(task: Task, id: string, signal: AbortSignal): Promise<Asked | null>
  /** From now on the checkout of this answer is read and renewed. */
  use(answer: ApiAnswer): void
  /** Makes a link for another device. Rejects with a `PaywindowError`. */
  handOver(id: string): ReturnType<Api['handOver']>
}

/** Sends nothing yet. */
export function createRequests({ api, reference, method, viewed, window, clock }: RequestOptions): Requests {
  let key = viewed?.token ?? ''
  let inFlight: { readonly task: Task; readonly request: Promise<Asked> } | undefined

  async function ask(request: () => Promise<ApiAnswer>): Promise<Asked> {
    const sentAt = clock()
    const answer = await request()
    const { reference: answered } = answer.kind === 'offer' ? answer.offer : answer.checkout
    // A cache, or a script in front of `fetch`, may give the answer to another request.
    if (reference && answered !== reference) throw new PaywindowError('invalid_answer', 'This is another cart')
    return { answer, sentAt }
  }

  /**
   * A creation or renewal that is on its way is joined, not sent again, and not taken back when a
   * component unmounts.
   */
  function join(task: Task, request: () => Promise<ApiAnswer>): Promise<Asked> {
    if (inFlight?.task === task) return inFlight.request
    const mine = { task, request: ask(request) }
    inFlight = mine
    // A poll that failed is the same task when it is asked again.
    mine.request.catch(() => {
      if (inFlight === mine) inFlight = undefined
    })
    return mine.request
  }

  async function create(task: Task, wanted: MethodChoice | undefined, signal: AbortSignal): Promise<Asked> {
    if (!isVisible(window)) await whenVisible(window, signal)
    return join(task, () => api.create({ reference, ...wanted }))
  }

  /**
   * Gets the key, which no server writes into a page. @returns What the cart shows now, where it is
   * not this checkout.
   */
  async function otherNow(id: string): Promise<ApiAnswer | null> {
    const answer = key ? null : await api.create({ reference, ...method })
    if (answer?.kind !== 'checkout' || answer.checkout.id !== id) return answer
    key = answer.key
    return null
  }

  return {
    send: async (task, id, signal) => {
      switch (task.kind) {
        case 'create':
          return create(task, task.method, signal)
        case 'view':
          return ask(async () => ({ ...(await api.read(task.id, key, signal)), kind: 'checkout', key }))
        case 'renew':
          return join(task, async () => (await otherNow(id)) ?? api.renew(id, key))
        case 'offer':
          return ask(() => api.offer(reference))
        case 'poll':
          return key ? ask(() => api.read(id, key, signal)) : create(task, method, signal)
        case 'rest':
          return null
      }
    },
    use: (answer) => {
      if (answer.kind === 'checkout') key = answer.key
    },
    handOver: async (id) => {
      if (await otherNow(id)) throw new PaywindowError('not_found', 'This is another checkout now')
      return api.handOver(id, key)
    },
  }
}

/** The flow as it is now. */
export interface HeldFlow {
  flow(): Flow
  /** What is drawn of it. */
  state(): SessionState
  /** Takes the next flow. */
  update(next: Flow): void
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /**
   * Milliseconds the quote that is shown has left; zero or less when it is over, and where none is
   * shown.
   */
  timeLeftMs(): number
}

/** The listeners are called after the new flow and state can be read. */
export function holdFlow(first: Flow, clock: ReadClocks): HeldFlow {
  const listeners = new Set<() => void>()
  let flow = first
  let state = stateOf(flow)
  return {
    flow: () => flow,
    state: () => state,
    update: (next) => {
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
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    timeLeftMs: () => (flow.shown ? timeLeftMs(flow.shown.deadline, clock()) : 0),
  }
}
