// @vitest-environment jsdom
/**
 * Where a shop signs its references, whoever knows one opens the cart: it is in the page's own
 * element, and in no other place.
 */
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { openShop, paid, pass, press, seen } from './widget.testing.tsx'

const shop = openShop()
const reference = 'cart-42.Zt0y5K1q8Xv_Jw2LrB-7mQ'

it.each([
  ['waiting', { methodCount: 2 }],
  ['time is up', { expiresInMs: 0 }],
  ['seen', seen],
  ['paid', paid],
  ['canceled', { status: 'canceled', phase: 'ended' }],
  ['paid by another', { cart: 'paid' }],
] as const)('is in no address, on no screen and in nothing that is copied, printed or kept: %s', async (_, changes) => {
  const copied = vi.fn(async (_text: string) => undefined)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: copied }, configurable: true })
  vi.spyOn(console, 'error').mockReturnValue()
  const addresses: string[] = []
  const failures: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    addresses.push(String(input))
    return shop.merchant.fetch(input, init)
  }
  shop.answerWith({
    ...changes,
    reference,
    merchant: { name: 'Lantern Books', supportUrl: 'https://shop.example/help' },
  })
  shop.merchant.on('POST /offer', () => ({ status: 500, text: 'no' }))
  await shop.show({
    reference,
    fetch,
    handoverUrl: 'https://shop.example/pay',
    onError: ({ message }) => failures.push(message),
  })
  for (const fold of document.querySelectorAll('details')) fold.open = true
  for (const name of ['Copy details', 'Copy receipt', 'Change']) if (screen.queryByRole('button', { name })) press(name)
  await pass(20_000)
  window.dispatchEvent(new Event('beforeprint'))
  expect(copied).toHaveBeenCalled()
  if ('methodCount' in changes) expect(addresses).toContain(new URL('/paywindow/offer', document.baseURI).href)
  const kept = [
    document.cookie,
    document.title,
    location.href,
    ...[localStorage, sessionStorage].map((each) => JSON.stringify(each)),
  ]
  const written = [...addresses, ...failures, ...copied.mock.calls.flat(), ...kept, document.documentElement.outerHTML]
  for (const text of written) expect(text).not.toContain(reference)
  vi.restoreAllMocks()
})
