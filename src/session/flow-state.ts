/** Holds the flow of one session, and calls those who subscribed at every change that can be seen. */
import type { Flow } from '../checkout/flow.ts'
import { type SessionState, stateOf } from './state.ts'

/** The flow as it is now, and what is drawn of it. */
export interface FlowState {
  readonly flow: Flow
  readonly state: SessionState
  /** Replaces the flow. Calls the listeners if something that is drawn has changed. */
  update(next: Flow): void
  /** Listeners are called in the order in which they subscribed. @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
}

/** @param first - The flow before any request. */
export function createFlowState(first: Flow): FlowState {
  const listeners = new Set<() => void>()
  const flows = {
    flow: first,
    state: stateOf(first),
    update: (next: Flow) => {
      const before = flows.flow
      flows.flow = next
      const same =
        before.progress === next.progress &&
        before.pending === next.pending &&
        before.actionError === next.actionError &&
        before.trouble === next.trouble
      if (same) return
      flows.state = stateOf(next, before.progress === next.progress ? flows.state.view : undefined)
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return flows
}
