// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture, offerFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { heading, openShop, paid, pass, seen } from './widget.testing.tsx'

const shop = openShop()
const merchant = { name: 'Lantern Books', supportUrl: 'https://shop.example/help?order=42' }
const writeText = vi.fn(async (_text: string) => undefined)

beforeEach(() => {
  writeText.mockClear()
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
})

/** Every screen of a payment: its heading, and what the server says of it. */
const screens: readonly [title: string, changes: Partial<Checkout>][] = [
  ['Send exactly 0.00123456 BTC', {}],
  ['Time is up for this price', { expiresInMs: 0 }],
  ['We see your payment. Confirming…', seen],
  ['Paid, thank you', paid],
  ['This payment was canceled', { status: 'canceled', phase: 'ended' }],
  ['This order already has a payment', { cart: 'seen' }],
  ['This order is already paid', { cart: 'paid' }],
]

describe.each(screens)('with the screen “%s”', (title, changes) => {
  it("help is a link to the merchant's own page, in a tab that cannot reach back", async () => {
    shop.answerWith({ ...changes, merchant })
    await shop.show()
    expect(heading()).toBe(title)
    const link = screen.getByRole('link', { name: /^Need help\? ?\(opens in a new tab\)$/ })
    expect(link.getAttribute('href')).toBe(merchant.supportUrl)
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')?.split(' ')).toContain('noopener')
  })

  it('there is no link to nowhere where the merchant has no such page', async () => {
    shop.answerWith(changes)
    await shop.show()
    expect(heading()).toBe(title)
    expect(screen.queryByText(/^Need help/)).toBeNull()
  })

  it('what support asks for is copied with one press, without what opens the payment', async () => {
    shop.answerWith(changes)
    await shop.show()
    fireEvent.click(screen.getByRole('button', { name: 'Copy details' }))
    await pass(0)
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
    const text = writeText.mock.lastCall?.[0]
    const { id, description, amount, address } = checkoutFixture()
    for (const part of [id, description, `${amount} BTC`, address]) expect(text).toContain(part)
    expect(text).not.toContain('key-of-the-payer')
  })
})

describe('details that are copied after polls that brought nothing new', () => {
  it('say when the status was checked, and that they are copied', async () => {
    shop.answerWith({ merchant })
    await shop.show()
    await pass(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Copy details' }))
    await pass(0)
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
    const [, checked = ''] = /^Last checked: (.*)$/m.exec(writeText.mock.lastCall?.[0] ?? '') ?? []
    expect(Date.now() - Date.parse(checked)).toBeLessThan(15_000)
  })

  it('are selected where there is no clipboard', async () => {
    writeText.mockRejectedValueOnce(new Error('no clipboard'))
    shop.answerWith({ merchant })
    await shop.show()
    await pass(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Copy details' }))
    await pass(0)
    expect(getSelection()?.toString()).toContain(`Payment: ${checkoutFixture().id}`)
  })
})

describe('before there is a payment', () => {
  it('help is there with the choice, and there are no details yet', async () => {
    shop.merchant.on('POST /checkouts', () => ({ json: { v: 1, offer: { ...offerFixture, merchant } } }))
    await shop.show()
    expect(heading()).toBe('What would you like to pay with?')
    expect(screen.getByRole('link', { name: /^Need help\?/ }).getAttribute('href')).toBe(merchant.supportUrl)
    expect(screen.queryByRole('button', { name: 'Copy details' })).toBeNull()
  })
})

describe("the page's own link to help", () => {
  const hrefFor = async (supportUrl: string) => {
    shop.merchant.on('POST /checkouts', () => ({
      status: 403,
      json: { v: 1, error: { code: 'forbidden_origin', message: '' } },
    }))
    await shop.show({ supportUrl })
    expect(heading()).toBe('This payment cannot start')
    return screen.queryByRole('link')?.getAttribute('href') ?? null
  }

  it.each([
    'https://shop.example/help',
    '//shop.example',
    '/help?a=b:c',
    'help',
    '#help',
    'mailto:us@shop.example',
    'tel:+49',
    'HTTP://x',
  ])('may be %j', async (url) => expect(await hrefFor(url)).toBe(url))

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '  javascript:alert(1)',
    'java\nscript:alert(1)',
    '\tjava\tscript\t:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript:/x',
    'javascript://shop.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example/1',
    'view-source:x',
  ])('runs no script: %j', async (url) => expect(await hrefFor(url)).toBeNull())
})
