// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { openShop, paid, pass } from './widget.testing.tsx'

const shop = openShop()

// Equal times between requests, so that equal runs show equal screens.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  return () => vi.restoreAllMocks()
})

describe("a page's own words and addresses that cannot be used", () => {
  const wrong: readonly unknown[] = [undefined, null, 5, true, {}, [], () => 'text', Symbol('text'), 5n]

  it.each(wrong)('a text that is %s leaves the built-in one', async (value) => {
    const expected = await playTexts({})
    const names = ['sendExactly', 'stepOf', 'arriveBefore', 'onlyOn', 'priceForms', 'formsOf', 'timeForms', 'lateHint']
    expect(await playTexts({ texts: Object.fromEntries(names.map((name) => [name, value])) })).toEqual(expected)
  })

  it.each(wrong)('texts that are %s leave the built-in ones', async (value) => {
    expect(await playTexts({ texts: value })).toEqual(await playTexts({}))
  })

  it.each([
    ...wrong.filter((value) => typeof value !== 'symbol'),
    'not a locale',
    'x',
    'de_DE',
    '',
    '@@',
    'a'.repeat(300),
  ])('the locale %s keeps the panel', async (locale) => {
    expect((await playTexts({ locale }))[0]).toContain(checkoutFixture().address)
  })

  it.each([...wrong, 'http://', 'https://[', '//', 'javascript:alert(1)', ''])(
    'the handoverUrl %s keeps the panel',
    async (url) => {
      expect((await playTexts({ handoverUrl: url }))[0]).toContain(checkoutFixture().address)
    },
  )

  it.each([...wrong, 'https://['])('the endpoint %s is refused in words', async (endpoint) => {
    const onError = vi.fn()
    render(shop.widget({ endpoint: endpoint as string, fetch: undefined, onError }))
    await pass(10_000)
    expect(document.querySelector('.pw')?.getAttribute('data-view')).toMatch(/refused|unreachable/)
    expect(onError).toHaveBeenCalled()
  })

  async function playTexts(props: Readonly<Record<string, unknown>>) {
    vi.setSystemTime('2026-11-21T10:00:00Z')
    shop.answerWith({})
    const { unmount } = render(shop.widget(props))
    await pass(1_000)
    const screens = [document.body.textContent]
    shop.answerWith(paid)
    await pass(7_000)
    screens.push(document.body.textContent)
    unmount()
    return screens
  }
})
