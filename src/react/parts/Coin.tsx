/**
 * The coin of a payment with its ring: one object that the payer follows from the choice to the end.
 * Where a screen takes the place of another, the coin moves from where it was.
 */
import { useRef } from 'react'
import { useDrawn } from '../use-drawn.ts'
import { AssetIcon, type AssetIconProps } from './AssetIcon.tsx'

interface CoinProps extends AssetIconProps {
  /** What the ring says: `time` that is left, `busy` while others work, `done` once it is paid. Without it there is none. */
  readonly form: 'time' | 'busy' | 'done' | undefined
}

/** Where a coin was when its screen went. The coin that is drawn next, in the same frame, takes it. */
let left: { readonly box: DOMRect; readonly atMs: number } | undefined

/** A coin that left longer ago than this, in ms, was that of something else. */
const sameFrameMs = 100

/** The picture of an asset, in a ring. */
export function Coin({ form, ...asset }: CoinProps) {
  const own = useRef<HTMLSpanElement>(null)
  useDrawn(() => {
    const coin = own.current
    const to = coin?.getBoundingClientRect()
    // A coin that is hidden leaves nothing.
    if (!coin || !form || !to?.width) return
    if (left && performance.now() - left.atMs < sameFrameMs) fly(coin, left.box, to)
    left = undefined
    return () => {
      left = { box: coin.getBoundingClientRect(), atMs: performance.now() }
    }
  }, [form])
  return (
    <span className="pw-coin" data-form={form} ref={own}>
      <AssetIcon {...asset} />
      {form ? (
        <svg className="pw-ring" viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="11" />
          <circle cx="12" cy="12" r="11" pathLength="100" />
        </svg>
      ) : null}
      {form === 'done' ? (
        <svg className="pw-tick" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7.5 12.4l3 3 6-6.6" />
        </svg>
      ) : null}
    </span>
  )
}

function fly(element: HTMLElement, from: DOMRect, to: DOMRect): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2]
  const transform = [`translate(${x}px, ${y}px) scale(${from.width / to.width})`, 'none']
  element.animate?.({ transform }, { duration: 420, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' })
}
