// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { errorJson } from '../react/fake-merchant.testing.ts'
import { openShop, paid, pass } from '../react/widget.testing.tsx'
import type { PaywindowElement } from './paywindow-element.ts'
import { register } from './register.ts'

const other = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const shop = openShop()
let reported: unknown[]
const onPageError = (event: ErrorEvent) => {
  event.preventDefault()
  reported.push(event.error)
}

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  reported = []
  vi.stubGlobal('fetch', shop.merchant.fetch)
  window.addEventListener('error', onPageError)
  register()
})

afterEach(async () => {
  document.body.replaceChildren()
  await pass(2_000)
  window.removeEventListener('error', onPageError)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const events = ['paywindow:status', 'paywindow:confirmed', 'paywindow:error'] as const

/** Shows an element, and lets each of its events come, each at another moment. */
async function play(listen: (element: PaywindowElement) => void): Promise<readonly (string | null | undefined)[]> {
  vi.setSystemTime('2026-11-21T10:00:00Z')
  shop.answerWith({})
  shop.merchant.on('POST /checkouts', () => ({ status: 503, json: errorJson('service_unavailable') }))
  const element = document.createElement('pay-window')
  Object.assign(element, { endpoint: '/paywindow', reference: 'cart-42' })
  listen(element)
  await act(async () => document.body.append(element))
  await pass(500)
  const look = () => element.shadowRoot?.querySelector('.pw')?.textContent
  const screens = [look()]
  shop.merchant.reset('POST /checkouts')
  await pass(10_000)
  screens.push(look())
  shop.answerWith(paid)
  await pass(10_000)
  screens.push(look())
  element.remove()
  await pass(2_000)
  return screens
}

describe("a page's listener", () => {
  it.each(events)('to %s that throws changes nothing, and the page gets to see it', async (name) => {
    const expected = await play(() => undefined)
    expect(new Set(expected).size).toBe(3)
    const listener = vi.fn(() => {
      throw new TypeError('a mistake of the page')
    })
    expect(await play((element) => element.addEventListener(name, listener))).toEqual(expected)
    expect(listener).toHaveBeenCalled()
    expect(reported).toHaveLength(listener.mock.calls.length)
  })

  it.each(events)('to %s may take the element away, for good', async (name) => {
    await play((element) => element.addEventListener(name, () => element.remove()))
    const asked = shop.merchant.requests.length
    await pass(600_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    expect(reported).toEqual([])
  })

  it.each(events)('to %s may move the element, or give it another cart', async (name) => {
    const place = document.body.appendChild(document.createElement('main'))
    const screens = await play((element) =>
      element.addEventListener(name, () => {
        if (element.reference === 'cart-43') return
        place.append(element)
        element.reference = 'cart-43'
        shop.merchant.reset('POST /checkouts')
        shop.answerWith({ id: 'other', reference: 'cart-43', address: other })
      }),
    )
    expect(shop.merchant.requests.some(({ body }) => JSON.stringify(body)?.includes('cart-43'))).toBe(true)
    expect(screens.at(-1)).not.toBe('')
    expect(reported).toEqual([])
  })
})

describe('texts that are none', () => {
  it.each([null, 5, {}, [], Symbol('text'), () => 'text'])('%s leaves the built-in ones', async (value) => {
    const expected = await play(() => undefined)
    expect(await play((element) => Object.assign(element, { texts: { sendExactly: value, step: value } }))).toEqual(
      expected,
    )
    expect(await play((element) => Object.assign(element, { texts: value }))).toEqual(expected)
    expect(reported).toEqual([])
  })

  it.each(['not a locale', '@@', 'de_DE'])('the locale %s keeps the panel', async (locale) => {
    const screens = await play((element) => element.setAttribute('locale', locale))
    expect(screens[1]).toContain(checkoutFixture().address)
  })
})
