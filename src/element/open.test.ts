// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { fakeMerchant } from '../react/fake-merchant.testing.ts'
import { PaywindowElement } from './index.ts'
import { openPaywindow } from './open.ts'

afterEach(async () => {
  // Nothing is drawn any more when the page of the test has gone.
  await act(async () => document.body.replaceChildren())
  vi.unstubAllGlobals()
})

it('opens a checkout where nothing has registered the element yet', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('fetch', fakeMerchant(checkoutFixture).fetch)
  // jsdom has no modals.
  Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} })
  expect(customElements.get('pay-window')).toBeUndefined()
  const { element } = await act(async () => openPaywindow({ endpoint: '/paywindow', reference: 'cart-42' }))
  expect(element).toBeInstanceOf(PaywindowElement)
  expect(element.getAttribute('reference')).toBe('cart-42')
})
