/** Lets the card grow or shrink from the height of one screen to that of the next. */
import { type RefObject, useEffect, useRef } from 'react'
import type { ViewKind } from '../../checkout/view.ts'
import { decorate, isCalm } from '../decoration.ts'
import { useDrawn } from '../use-drawn.ts'

/** Props of `Growth`: the widget's root element, and its screen. */
export interface GrowthProps {
  readonly root: RefObject<HTMLElement | null>
  readonly view: ViewKind
}

/**
 * Draws nothing. Only another screen is followed: what is unfolded, or another width, takes its
 * place at once.
 */
export function Growth({ root, view }: GrowthProps) {
  const height = useRef(0)
  const card = () => root.current?.querySelector<HTMLElement>('.pw-card')
  // Before the new screen is painted.
  useDrawn(() => {
    const to = card()
    if (to && height.current)
      decorate(() => {
        const heights = [`${height.current}px`, `${to.offsetHeight}px`]
        if (!isCalm()) to.animate({ height: heights }, { duration: 240, easing: 'ease-out' })
      })
  }, [view])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card stays.
  useEffect(() => decorate(() => watchHeight(card(), height)), [root])
  return null
}

/**
 * Only remembers. What moves something while sizes are observed sends an error to the page's
 * monitoring.
 */
function watchHeight(card: HTMLElement | null | undefined, height: { current: number }) {
  if (!card || !globalThis.ResizeObserver) return
  const observer = new ResizeObserver(() => {
    height.current = card.offsetHeight
  })
  observer.observe(card)
  return () => observer.disconnect()
}
