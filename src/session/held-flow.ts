/** Holds the flow of a session. Whoever draws it hears when something that is drawn has changed. */
import { type ReadClocks, timeLeftMs } from '../checkout/deadline.ts'
import type { Flow } from '../checkout/flow.ts'
import { type SessionState, stateOf } from './state.ts'

/** The flow as it is now. */
export interface HeldFlow {
  flow(): Flow
  /** What is drawn of it. */
  state(): SessionState
  /** Takes the next flow. */
  update(next: Flow): void
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Milliseconds the quote that is shown has left; zero or less when it is over, and where none is shown. */
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
