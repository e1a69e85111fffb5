// @vitest-environment jsdom
/** Whom a payer can turn to when there is nothing to pay. */
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { offerFixture } from '../checkout/fixture.ts'
import type { PaywindowError } from '../contract/errors.ts'
import { errorJson } from './fake-merchant.testing.ts'
import { hasAddress, heading, openShop, pass, press } from './widget.testing.tsx'

const shop = openShop()
const supportUrl = 'https://shop.example/help'
const support = () => screen.queryByRole('link', { name: /^Contact the shop/ })?.getAttribute('href')

it.each(['forbidden_origin', 'service_refused', 'invalid_request', 'not_offered'])(
  'of %s: the shop, and the short reference that the shop was given in the report',
  async (code) => {
    const json = { v: 1, error: { code, message: 'said', incident: '7K3M9Q' } }
    shop.merchant.on('POST /checkouts', () => ({ status: 403, json }))
    await shop.show({ supportUrl })
    await pass(60_000)
    expect(heading()).toBe('This payment cannot start')
    expect(document.body.textContent).not.toContain(code)
    if (code !== 'not_offered') expect(document.body.textContent).toMatch(/reference: 7K3M9Q/i)
    expect(support()).toBe(supportUrl)
  },
)

it('while the shop does not answer: the shop too, and no link to nowhere', async () => {
  shop.merchant.on('POST /checkouts', () => 'down')
  const { unmount } = await shop.show({ supportUrl })
  await pass(60_000)
  expect(heading()).toBe('The shop does not answer')
  expect(support()).toBe(supportUrl)
  unmount()
  await shop.show()
  await pass(60_000)
  expect(support()).toBeUndefined()
})

it.each([
  ['an answer that is garbled', { status: 200, text: '<html>' }, 'invalid_answer'],
  ['a refusal of a proxy', { status: 413, text: 'Request Entity Too Large' }, 'invalid_answer'],
  ['a refusal without a name', { status: 403, json: errorJson('forbidden_origin') }, 'forbidden_origin'],
] as const)('for %s: a reference that the page is told too', async (_, answer, code) => {
  shop.merchant.on('POST /checkouts', () => answer)
  // Whoever builds the page looks there first.
  const say = vi.spyOn(console, 'error').mockReturnValue()
  const onError = vi.fn()
  await shop.show({ supportUrl, onError })
  await pass(60_000)
  const [, reference] = /reference: (\d{6})$/i.exec(document.querySelector('.pw-note')?.textContent ?? '') ?? []
  expect(reference).toBeDefined()
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ code, incident: reference })]])
  expect(say.mock.calls).toEqual(onError.mock.calls.map(([error]) => ['Paywindow', code, error]))
  expect(document.body.textContent).not.toContain(code)
  expect(support()).toBe(supportUrl)
})

it('where the page asks for a coin that is not offered: the choice of another one', async () => {
  shop.merchant.on('POST /checkouts', ({ body }) =>
    Object(body).asset
      ? { status: 422, json: errorJson('method_not_offered') }
      : { json: { v: 1, offer: { ...offerFixture, reference: 'cart-42' } } },
  )
  await shop.show({ asset: 'DOGE', network: 'dogecoin', onError: () => undefined })
  expect(document.body.textContent).toContain('Please choose another.')
  press('Try again')
  await pass(0)
  expect(heading()).toBe('What would you like to pay with?')
  expect(screen.getByRole('button', { name: /^Bitcoin/ })).toBeTruthy()
})

it('where the page itself asks for nothing that can be: a reference too', async () => {
  const onError = vi.fn((_: PaywindowError) => undefined)
  await shop.show({ reference: '', onError })
  await pass(1_000)
  const incident = onError.mock.lastCall?.[0].incident
  expect(incident).toMatch(/^\d{6}$/)
  expect(document.body.textContent).toContain(`reference: ${incident}`)
})

it('when the shop has forgotten what it asked for: no address from the first answer on, the shop, and what to tell it', async () => {
  await shop.show({ supportUrl })
  expect(hasAddress()).toBe(true)
  shop.merchant.on('GET /checkouts/:id', () => ({ status: 404, json: errorJson('not_found') }))
  for (const ms of [6_000, 120_000]) {
    await pass(ms)
    expect(hasAddress()).toBe(false)
    expect(document.body.textContent).not.toContain(shop.checkout.address)
    expect(document.body.textContent).toContain('The shop does not know this order')
    expect(document.body.textContent).toContain('do not send to the old address')
    expect(document.body.textContent).toContain('do not pay again')
    expect(screen.getByRole('button', { name: 'Copy details' })).toBeDefined()
    expect(support()).toBe(supportUrl)
  }

  shop.merchant.reset('GET /checkouts/:id')
  press('Try again')
  await pass(0)
  expect(hasAddress()).toBe(true)
})

it('when the shop has forgotten it for a moment: the address again, by itself', async () => {
  await shop.show()
  shop.merchant.on('GET /checkouts/:id', () => ({ status: 404, json: errorJson('not_found') }))
  await pass(6_000)
  expect(hasAddress()).toBe(false)
  shop.merchant.reset('GET /checkouts/:id')
  await pass(3_000)
  expect(hasAddress()).toBe(true)
})
