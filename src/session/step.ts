/** Does what comes next in a flow, and says when. */
import type { ReadClocks } from '../checkout/deadline.ts'
import { answered, failed } from '../checkout/flow.ts'
import { nextDelayMs } from '../checkout/polling.ts'
import { isTransient } from '../checkout/view.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { HeldFlow } from './held-flow.ts'
import type { Requests } from './requests.ts'
import type { Session } from './session.ts'
import { isHidden } from './visibility.ts'
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
  /** Drawn after each step, and not before the first: the session may be created while a page is drawn on a server. */
  let jitter = 0
  /** When the last request was sent; not of one that failed. */
  let sentMs = Number.NEGATIVE_INFINITY

  async function step(signal: AbortSignal): Promise<void> {
    const { task, shown } = flow()
    // The payer may have asked for something else meanwhile, or another caller may have handled this answer.
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
      // A refusal that the merchant server did not name gets six digits, so that payer and page have the same reference.
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
