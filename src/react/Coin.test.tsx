// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Coin } from './parts/Coin.tsx'

const animate = vi.fn()
let reducesMotion = false

/** Draws a coin where a layout would have put it. */
function draw(boxes: Readonly<Record<string, DOMRect>>) {
  vi.stubGlobal('matchMedia', () => ({ matches: reducesMotion }))
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return boxes[this.getAttribute('data-form') ?? ''] ?? new DOMRect()
  })
  Element.prototype.animate = animate
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  animate.mockReset()
  reducesMotion = false
})

const boxes = { still: new DOMRect(100, 200, 20, 20), busy: new DOMRect(150, 40, 60, 60) }

describe('the coin', () => {
  it('comes from where it was on the screen before', () => {
    draw(boxes)
    const { rerender } = render(<Coin key="waiting" form="still" symbol="BTC" />)
    animate.mockReset()
    rerender(<Coin key="seen" form="busy" symbol="BTC" />)
    expect(animate).toHaveBeenCalledExactlyOnceWith(
      { transform: [`translate(-70px, 140px) scale(${1 / 3})`, 'none'] },
      expect.anything(),
    )
  })

  it.each([
    ['for a payer who wants less motion', () => (reducesMotion = true)],
    ['from where a coin was a while ago', () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 500)],
  ])('stands still %s', (_, prepare) => {
    draw(boxes)
    const { rerender } = render(<Coin key="waiting" form="still" symbol="BTC" />)
    rerender(<div />)
    animate.mockReset()
    prepare()
    rerender(<Coin key="seen" form="busy" symbol="BTC" />)
    expect(animate).not.toHaveBeenCalled()
  })

  it('comes from no other widget, and from nowhere where it was hidden', () => {
    for (const [widget, box] of [
      ['another', boxes.still],
      ['one', new DOMRect()],
    ] as const) {
      draw({ ...boxes, still: box })
      const coin = (name: string, form: 'still' | 'busy') => (
        <div className="pw" key={name}>
          <Coin key={form} form={form} symbol="BTC" />
        </div>
      )
      const { rerender } = render(coin('one', 'still'))
      animate.mockReset()
      rerender(coin(widget, 'busy'))
      expect(animate, widget).not.toHaveBeenCalled()
      cleanup()
    }
  })

  it('has no ring in a list, and a check once it is paid', () => {
    draw(boxes)
    const count = (form: 'done' | undefined) => {
      const { container } = render(<Coin form={form} symbol="BTC" />)
      return [container.querySelectorAll('.pw-ring').length, container.querySelectorAll('.pw-tick').length]
    }
    expect([count(undefined), count('done')]).toEqual([
      [0, 0],
      [1, 1],
    ])
  })
})
