// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { hasAddress, heading, openShop, paid, pass, seen } from './widget.testing.tsx'

const shop = openShop()

const fails = () => {
  throw new Error('replaced by the page')
}

describe('in a page', () => {
  it('leaves no timer, listener or request behind', async () => {
    const listening = new Map<string, number>()
    const count = (name: string, by: number) => listening.set(name, (listening.get(name) ?? 0) + by)
    const spies = [window, document].flatMap((target) => [
      vi.spyOn(target, 'addEventListener').mockImplementation((name) => void count(name, 1)),
      vi.spyOn(target, 'removeEventListener').mockImplementation((name) => void count(name, -1)),
    ])
    const { unmount } = await shop.show()
    await pass(5000)
    unmount()
    await pass(2000)
    const asked = shop.merchant.requests.length
    expect(vi.getTimerCount()).toBe(0)
    for (const name of ['visibilitychange', 'focus', 'pageshow', 'online', 'offline']) {
      expect([name, listening.get(name)]).toEqual([name, 0])
    }
    await pass(600_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    for (const spy of spies) spy.mockRestore()
  })

  it.each<[string, () => void]>([
    ['says nothing to a media query', () => vi.stubGlobal('matchMedia', () => undefined)],
    ['animates nothing', () => Object.assign(Element.prototype, { animate: fails })],
    ['observes no sizes', () => vi.stubGlobal('ResizeObserver', class {})],
    ['watches nothing', () => vi.stubGlobal('IntersectionObserver', class {})],
  ])('which %s shows the panel and what follows all the same', async (_, replace) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 20, 20))
    replace()
    const onError = vi.fn()
    await shop.show({ onError })
    expect(hasAddress()).toBe(true)
    shop.answerWith(seen)
    await pass(6000)
    shop.answerWith(paid)
    await pass(6000)
    expect(heading()).toBe('Paid, thank you')
    expect(onError).not.toHaveBeenCalled()
    Reflect.deleteProperty(Element.prototype, 'animate')
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('does not start over when callbacks are written inline, and calls the newest', async () => {
    const first = vi.fn()
    const second = vi.fn()
    const { rerender } = await shop.show({ onStatusChange: first })
    rerender(shop.widget({ onStatusChange: second }))
    shop.answerWith(seen)
    await pass(6000)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    expect(second).toHaveBeenCalledTimes(1)
    expect(first).not.toHaveBeenCalledWith(expect.objectContaining({ status: 'seen' }))
  })

  it('keeps the key out of the page and out of what callbacks get', async () => {
    const told: unknown[] = []
    await shop.show({ onStatusChange: (change) => void told.push(change) })
    expect(document.documentElement.outerHTML).not.toContain('key-of-the-payer')
    expect(JSON.stringify(told)).not.toContain('key-of-the-payer')
  })

  it('moves the focus to a result, but not away from a field of the page', async () => {
    const field = document.body.appendChild(document.createElement('input'))
    await shop.show()
    expect(document.activeElement).toBe(document.body)
    field.focus()
    shop.answerWith(seen)
    await pass(6000)
    expect(document.activeElement).toBe(field)
    expect(screen.getByRole('status').textContent).toBe('We see your payment. Confirming…')
    field.blur()
    shop.answerWith(paid)
    await pass(6000)
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    field.remove()
  })

  it('has its live region outside of what is busy, where readers say nothing', async () => {
    await shop.show()
    expect(screen.getByRole('status').closest('[aria-busy]')).toBeNull()
  })

  it('shows the test band with a test account', async () => {
    shop.answerWith({ test: true })
    await shop.show()
    expect(screen.getByText('Test: do not send money')).toBeTruthy()
  })

  it('speaks the texts it is given', async () => {
    await shop.show({ texts: { sendExactly: 'Bitte genau' }, locale: 'de-DE' })
    expect(heading()).toBe('Bitte genau 0.00123456 BTC')
    expect(document.querySelector('.pw')?.getAttribute('lang')).toBe('de-DE')
  })

  it.each(['he_IL', 'ar_EG', 'fa-IR'])('is from right to left, with the texts of %s', async (locale) => {
    await shop.show({ texts: { sendExactly: 'x' }, locale })
    const { lang, dir } = document.querySelector<HTMLElement>('.pw') ?? {}
    expect([lang, dir]).toEqual([locale.replace('_', '-'), 'rtl'])
    // In its own formats: a locale that browsers do not know would leave the digits as they came.
    expect(document.querySelector('.pw-head')?.textContent).not.toContain('49.90 USD')
  })

  it.each([
    ['ar', undefined, 'en'],
    ['ar', 'ar-EG', 'en'],
    ['de', undefined, 'en'],
    ['en-GB', undefined, 'en-GB'],
    ['de', 'en-AU', 'en-AU'],
    ['', undefined, 'en'],
  ])('is English in all ways without texts, on a page in "%s" with the locale %s', async (lang, locale, spoken) => {
    document.documentElement.lang = lang
    await shop.show({ locale })
    const { lang: shown, dir } = document.querySelector<HTMLElement>('.pw') ?? {}
    expect([shown, dir]).toEqual([spoken, 'ltr'])
    expect(screen.getByText(/^\D*49\.90$/)).toBeTruthy()
    document.documentElement.lang = ''
  })
})
