/**
 * What the widget needs from React, provided by Preact: the builds of the script and the element use this in place of `react` and
 * `react-dom/client`. Preact's own replacement for React is three times the size and does much that nothing here needs.
 */
import { type ComponentChildren, type ContainerNode, hydrate, render } from 'preact'
import { useLayoutEffect, useReducer } from 'preact/hooks'

export { Component, createContext, Fragment } from 'preact'
export {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks'

/** React's hook of this name. @param snapshot - Must return the same object until something changes. */
export function useSyncExternalStore<State>(
  subscribe: (listener: () => void) => () => void,
  snapshot: () => State,
): State {
  const state = snapshot()
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => {
    const look = () => {
      if (!Object.is(state, snapshot())) draw(undefined)
    }
    // The state may have changed since it was drawn.
    look()
    return subscribe(look)
  }, [subscribe, snapshot, state])
  return state
}

/** React's function of this name, on top of Preact. */
export function createRoot(container: ContainerNode) {
  return {
    render: (children: ComponentChildren) => render(children, container),
    unmount: () => render(null, container),
  }
}

/** React's function of this name, on top of Preact. */
export function hydrateRoot(container: ContainerNode, children: ComponentChildren) {
  hydrate(children, container)
  return createRoot(container)
}
