/**
 * The coin of a payment: one object that the payer follows from the choice to the end. Where a
 * screen takes the place of another, the coin moves from where it was.
 */
import { useRef } from 'react'
import { decorate, isCalm } from '../decoration.ts'
import { useDrawn } from '../use-drawn.ts'
import { AssetIcon, type AssetIconProps } from './AssetIcon.tsx'
import { Ring } from './Ring.tsx'

interface CoinProps extends AssetIconProps {
  /**
   * `busy` and `done` have a ring, which turns or is closed around a check. A coin without a form
   * is one of many.
   */
  readonly form: 'still' | 'busy' | 'done' | undefined
}

/**
 * Where a coin was when its screen went. The coin that the same widget draws next, in the same
 * frame, comes from there.
 */
let left: { readonly root: Element | null; readonly box: DOMRect; readonly atMs: number } | undefined

/** A coin that left longer ago than this, in ms, was that of something else. */
const sameFrameMs = 100

/** The picture of an asset that is being paid with. */
export function Coin({ form, ...asset }: CoinProps) {
  const own = useRef<HTMLSpanElement>(null)
  useDrawn(() => {
    const coin = own.current
    if (!coin || !form) return
    const root = coin.closest('.pw')
    const before = left
    left = undefined
    if (before?.root === root && Date.now() - before.atMs < sameFrameMs) decorate(() => fly(coin, before.box))
    return () => {
      left = { root, box: coin.getBoundingClientRect(), atMs: Date.now() }
    }
  }, [form])
  return (
    <span className="pw-coin" data-form={form} ref={own}>
      <AssetIcon {...asset} />
      {form === 'busy' || form === 'done' ? <Ring /> : null}
      {form === 'done' ? (
        <svg className="pw-tick" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7.5 12.4l3 3 6-6.6" />
        </svg>
      ) : null}
    </span>
  )
}

function fly(element: HTMLElement, from: DOMRect): void {
  const to = element.getBoundingClientRect()
  if (!from.width || !to.width || isCalm()) return
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2]
  const transform = [`translate(${x}px, ${y}px) scale(${from.width / to.width})`, 'none']
  element.animate?.({ transform }, { duration: 420, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' })
}
