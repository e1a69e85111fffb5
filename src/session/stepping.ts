/** Takes the steps of a flow: sends what comes next, and folds the answer or the failure into the flow. */
import type { ReadClocks } from '../checkout/deadline.ts'
import { answered, failed } from '../checkout/flow.ts'
import { nextDelayMs } from '../checkout/polling.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { FlowState } from './flow-state.ts'
import type { Requests } from './requests.ts'
import type { SessionState } from './state.ts'
import { isHidden } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/** What a scheduler calls. */
export interface Stepping {
  /** Does what comes next: creates, polls, renews. Does not reject on failures: they are part of the state. */
  step(signal: AbortSignal): Promise<SessionState>
  /** Milliseconds from the last answer to the next step, or false when nothing is asked by itself. */
  delayMs(): number | false
}

interface SteppingOptions {
  readonly window: BrowserWindow
  readonly clock: ReadClocks
  /** Called once per kind of failure until something succeeds. */
  readonly onError: (error: PaywindowError) => void
}

/** Sends nothing by itself. */
export function createStepping(
  flows: FlowState,
  requests: Requests,
  { window, clock, onError }: SteppingOptions,
): Stepping {
  let lastReported: string | undefined
  let jitter = window.Math.random()

  async function step(signal: AbortSignal): Promise<SessionState> {
    const { task, shown } = flows.flow
    try {
      const asked = await requests.send(task, shown?.checkout.id ?? '', signal)
      // The payer may have asked for something else meanwhile, or another caller may have handled this answer.
      if (!asked || flows.flow.task !== task || signal.aborted) return flows.state
      requests.keep(asked.answer)
      lastReported = undefined
      flows.update(answered(flows.flow, asked.answer, asked.sentAt, clock()))
    } catch (error) {
      if (signal.aborted || flows.flow.task !== task) return flows.state
      if (!(error instanceof PaywindowError)) throw error
      flows.update(failed(flows.flow, error, clock()))
      // Called last, because the page may press something in response.
      if (error.code !== lastReported) onError(error)
      lastReported = error.code
      // The checkout that was to be renewed has a deposit: show it at once.
      if (error.code === 'already_seen' && flows.flow.task.kind === 'poll' && !signal.aborted) return step(signal)
    }
    jitter = window.Math.random()
    return flows.state
  }

  return {
    step,
    delayMs: () => {
      const now = clock().monotonicMs
      const current = flows.flow
      return nextDelayMs({
        view: current.pending ? 'preparing' : flows.state.view.kind,
        shownForMs: now - current.shownSinceMs,
        hidden: isHidden(window),
        failures: current.failures,
        retryAfterMs: current.notBeforeMs - now,
        jitter,
      })
    },
  }
}
