/**
 * What the tests of the widget share: fake timers, a merchant server that answers what a test sets,
 * and ways to look and press.
 */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { fakeMerchant } from './fake-merchant.testing.ts'
import { loadLater } from './Later.tsx'
import { Paywindow, type PaywindowProps } from './Paywindow.tsx'

/**
 * Call once per test file. `shop.checkout` is what the merchant server answers from now on.
 * @param prepare - Makes sure that every screen can be drawn at once. Replaced in tests that are
 *   about loading them.
 */
export function openShop(prepare: () => Promise<void> = loadLater) {
  const shop = { checkout: checkoutFixture(), merchant: fakeMerchant() }
  beforeAll(prepare)
  beforeEach(() => {
    vi.useFakeTimers()
    shop.checkout = checkoutFixture()
    shop.merchant = fakeMerchant(() => shop.checkout)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    setVisibility('visible')
  })

  const widget = (props: Partial<PaywindowProps> = {}) => (
    <Paywindow endpoint="/paywindow" reference="cart-42" fetch={shop.merchant.fetch} {...props} />
  )
  return {
    /** Sets what the server answers about the first checkout from now on. */
    answerWith: (changes: Partial<Checkout>) => {
      shop.checkout = checkoutFixture(changes)
    },
    get merchant() {
      return shop.merchant
    },
    get checkout() {
      return shop.checkout
    },
    widget,
    show: async (props: Partial<PaywindowProps> = {}) => {
      const view = render(widget(props))
      await pass(0)
      return view
    },
  }
}

/** Changes of a checkout whose deposit was seen. */
export const seen = { revision: 2, status: 'pending', phase: 'seen', cart: 'seen' } as const
/** Changes of a checkout that is paid. */
export const paid = { revision: 3, status: 'confirmed', phase: 'paid', cart: 'paid' } as const

/** Advances the fake time, in milliseconds, and runs everything that happens in it. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}

/**
 * Whether the payer is asked to send to the address. A folded line under Details does not count.
 */
export function hasAddress(): boolean {
  return document.querySelector('.pw-exact')?.textContent === checkoutFixture().address
}

/** The heading on the screen. */
export function heading(): string | null {
  return screen.getByRole('heading').textContent
}

/** Presses the button of this name. */
export function press(name: string | RegExp): void {
  fireEvent.click(screen.getByRole('button', { name }))
}

/** Shows or hides the tab. */
export function setVisibility(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
}

/** Opens the fold with this summary and returns its text. */
export function readFold(summary: string): string {
  const details = screen.getByText(summary).closest('details')
  if (!details) throw new Error(`${summary} folds nothing away`)
  details.open = true
  fireEvent(details, new Event('toggle'))
  return details.textContent
}
