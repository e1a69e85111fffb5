// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { checkoutFixture, offerFixture } from '../checkout/fixture.ts'
import type { Initial } from '../contract/checkout.ts'
import { hasAddress, heading, openShop, paid, pass, seen } from './widget.testing.tsx'

const shop = openShop()

it('what a server has drawn stays on the page and becomes the panel', async () => {
  const complaints = vi.spyOn(console, 'error')
  const onRecoverableError = vi.fn()
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(shop.widget())
  const card = container.querySelector('.pw-card')
  expect(card?.querySelectorAll('.pw-bone').length).toBeGreaterThan(3)

  render(shop.widget(), { container, hydrate: true, onRecoverableError })
  expect(container.querySelector('.pw-card')).toBe(card)
  await pass(0)
  expect(hasAddress()).toBe(true)
  expect(container.querySelector('.pw-card')).toBe(card)
  expect(onRecoverableError).not.toHaveBeenCalled()
  expect(complaints).not.toHaveBeenCalled()
})

it("a server does not know the page's own English, and nobody is told of the difference", async () => {
  const complaints = vi.spyOn(console, 'error')
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(shop.widget())
  document.documentElement.lang = 'en-GB'
  render(shop.widget(), { container, hydrate: true })
  await pass(0)
  expect(hasAddress()).toBe(true)
  expect(complaints).not.toHaveBeenCalled()
  document.documentElement.lang = ''
})

describe('with what the merchant server had', () => {
  const initial = (changes: Partial<Initial> = {}): Initial => ({
    v: 1,
    writtenAtMs: Date.now(),
    isHeld: false,
    checkout: checkoutFixture(),
    ...changes,
  })
  const offer = { ...offerFixture, price: { asset: 'JPY', amount: '4990' } }

  /**
   * Draws on a server without a page, in its own time zone and with nothing remembered; then in a
   * browser.
   */
  async function hydrate(given: Initial) {
    const complaints = vi.spyOn(console, 'error')
    const onRecoverableError = vi.fn()
    const element = shop.widget({ initial: given })
    const container = document.body.appendChild(document.createElement('div'))
    vi.stubEnv('TZ', 'Asia/Tokyo')
    container.innerHTML = renderToString(element)
    vi.stubEnv('TZ', 'America/Lima')
    const drawn = container.innerHTML
    localStorage.setItem('paywindow-where', 'exchange')
    localStorage.setItem('paywindow-coin', 'BTC bitcoin')
    localStorage.setItem('paywindow-sent', 'c7QxN2mVt9fLe')
    await vi.advanceTimersByTimeAsync(1_500)
    render(element, { container, hydrate: true, onRecoverableError })
    expect(onRecoverableError).not.toHaveBeenCalled()
    expect(complaints).not.toHaveBeenCalled()
    localStorage.clear()
    vi.unstubAllEnvs()
    return drawn
  }

  it('the panel is in the HTML, and React takes it over without a complaint and without a request', async () => {
    expect(await hydrate(initial())).toContain('bc1q')
    expect(hasAddress()).toBe(true)
    expect(shop.merchant.count('POST /checkouts')).toBe(0)
    await pass(7_000)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    expect(hasAddress()).toBe(true)
  })

  it.each([
    ['a choice', { checkout: undefined, offer }],
    ['a quote that is over', { checkout: checkoutFixture({ expiresInMs: 0 }) }],
    ['a deposit', { checkout: checkoutFixture(seen) }],
    ['a paid cart', { checkout: checkoutFixture(paid) }],
    ['a phone', { isHeld: true }],
  ])('%s, too', async (_, changes) => {
    await hydrate(initial(changes as Partial<Initial>))
  })

  it('once it has changed, it is shown by no component that is mounted again', async () => {
    const given = initial()
    const first = render(shop.widget({ initial: given }))
    shop.answerWith(paid)
    await pass(7_000)
    expect(heading()).toBe('Paid, thank you')
    first.unmount()
    render(shop.widget({ initial: given }))
    expect(hasAddress()).toBe(false)
  })

  it('of an old page nothing stays', async () => {
    await hydrate(initial({ writtenAtMs: Date.now() - 3_600_000 }))
    expect(hasAddress()).toBe(false)
    await pass(0)
    expect(hasAddress()).toBe(true)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
  })
})
