/** Lets the card grow or shrink from the height of one screen to that of the next. */
import { type RefObject, useEffect } from 'react'
import { decorate, isCalm } from '../decoration.ts'

/** Props of `Growth`: the widget's root element. */
export interface GrowthProps {
  readonly root: RefObject<HTMLElement | null>
}

/** Draws nothing. Only another screen is followed: what is unfolded, or another width, takes its place at once. */
export function Growth({ root }: GrowthProps) {
  useEffect(() => decorate(() => follow(root.current)), [root])
  return null
}

function follow(root: HTMLElement | null) {
  const card = root?.querySelector<HTMLElement>('.pw-card')
  if (!card || !globalThis.ResizeObserver) return
  let [height, view] = [0, '']
  const observer = new ResizeObserver(() => {
    const now = root?.dataset.view ?? ''
    const heights = [`${height}px`, `${card.offsetHeight}px`]
    if (view && view !== now && !isCalm()) card.animate({ height: heights }, { duration: 240, easing: 'ease-out' })
    height = card.offsetHeight
    view = now
  })
  observer.observe(card)
  return () => observer.disconnect()
}
