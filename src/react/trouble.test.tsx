// @vitest-environment jsdom
/** Whom a payer can turn to when there is nothing to pay. */
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { errorJson } from './fake-merchant.testing.ts'
import { heading, openShop, pass } from './widget.testing.tsx'

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

it('where nothing was reported to the shop under a name, the code at least says what it is', async () => {
  shop.merchant.on('POST /checkouts', () => ({ status: 403, json: errorJson('forbidden_origin') }))
  await shop.show()
  await pass(60_000)
  expect(document.body.textContent).toContain('reference: forbidden_origin')
})
