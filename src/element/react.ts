/**
 * What the widget needs from React, provided by Preact: the builds of the script and the element
 * use this in place of `react` and `react-dom/client`. Preact's own replacement for React is three
 * times the size and does much that nothing here needs.
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

/**
 * React's hook of this name. @param snapshot - Must return the same object until something changes.
 */
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

/**
 * React's function of this name, which writes attributes, too: what stands between a server and a
 * browser rewrites paths and links, and Preact's own `hydrate` would leave the code or the link of
 * another payment. What was opened stays open.
 */
export function hydrateRoot(container: ParentNode & ContainerNode, children: ComponentChildren) {
  const opened = container.querySelectorAll<HTMLDetailsElement>('[open]')
  const root = createRoot(container)
  root.render(children)
  for (const each of opened) each.open = true
  return root
}
