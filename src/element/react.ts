/**
 * What the widget needs of React, from preact: the builds of the script and the element put this in the place of `react` and
 * `react-dom/client`. preact's own stand-in for React is three times the size and does much that nothing here asks for.
 */
import { type ComponentChildren, type ContainerNode, render } from 'preact'
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

/** @param snapshot - Must give the same object until something changed. */
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
    // It may have changed between drawing and now.
    look()
    return subscribe(look)
  }, [subscribe, snapshot, state])
  return state
}

/** React's root over Preact. */
export function createRoot(container: ContainerNode) {
  return {
    render: (children: ComponentChildren) => render(children, container),
    unmount: () => render(null, container),
  }
}
