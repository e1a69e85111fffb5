// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { fakeMerchant } from '../react/fake-merchant.testing.ts'
import { PaywindowElement } from './index.ts'
import { openPaywindow } from './open.ts'

afterEach(() => vi.unstubAllGlobals())

it('opens a checkout where nothing has registered the element yet', () => {
  vi.stubGlobal('fetch', fakeMerchant(checkoutFixture).fetch)
  // jsdom has no modals.
  HTMLDialogElement.prototype.showModal = () => {}
  expect(customElements.get('pay-window')).toBeUndefined()
  const { element } = openPaywindow({ endpoint: '/paywindow', reference: 'cart-42' })
  expect(element).toBeInstanceOf(PaywindowElement)
  expect(element.getAttribute('reference')).toBe('cart-42')
})
