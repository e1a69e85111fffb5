// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { offerFixture } from '../checkout/fixture.ts'
import type { Offer } from '../contract/checkout.ts'
import { networkInfo } from '../contract/networks/table.ts'
import { errorJson } from './fake-merchant.testing.ts'
import { hasAddress, heading, openShop, pass, press, setVisibility } from './widget.testing.tsx'

const shop = openShop()
const twoMethods: Offer = {
  ...offerFixture,
  methods: [
    { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin', ...networkInfo('bitcoin') },
    { asset: 'ETH', network: 'erc-20', name: 'Ether', ...networkInfo('erc-20') },
  ],
}

describe('creation', () => {
  it('shows the panel after one request', async () => {
    await shop.show()
    expect(shop.merchant.requests).toEqual([
      { method: 'POST', path: '/checkouts', key: null, body: { reference: 'cart-42' } },
    ])
    expect(hasAddress()).toBe(true)
    expect(heading()).toBe('Send exactly 0.00123456 BTC')
  })

  it('sends one request under StrictMode, which mounts twice', async () => {
    render(<StrictMode>{shop.widget()}</StrictMode>)
    await pass(1000)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    expect(hasAddress()).toBe(true)
  })

  it('waits until the page is visible', async () => {
    setVisibility('hidden')
    await shop.show()
    await pass(60_000)
    expect(shop.merchant.requests).toEqual([])
    setVisibility('visible')
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    await pass(0)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
  })

  it('is not sent for a component that was unmounted while it waited to be visible', async () => {
    setVisibility('hidden')
    const { unmount } = await shop.show()
    unmount()
    setVisibility('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(60_000)
    expect(shop.merchant.requests).toEqual([])
  })

  it('asks for the method it is given', async () => {
    await shop.show({ asset: 'ETH', network: 'erc-20' })
    expect(shop.merchant.requests[0]?.body).toEqual({ reference: 'cart-42', asset: 'ETH', network: 'erc-20' })
  })

  it('starts over for another cart, and shows nothing of the first', async () => {
    const { rerender } = await shop.show()
    shop.answerWith({
      id: 'other',
      reference: 'cart-43',
      address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    })
    rerender(shop.widget({ reference: 'cart-43' }))
    expect(hasAddress()).toBe(false)
    await pass(0)
    expect(shop.merchant.requests.at(-1)?.body).toEqual({ reference: 'cart-43' })
    expect(document.body.textContent).toContain(shop.checkout.address)
  })

  it('repeats a creation that the server could not answer yet, as late as it said', async () => {
    shop.merchant.on('POST /checkouts', () => ({
      status: 503,
      json: errorJson('service_unavailable'),
      retryAfter: '5',
    }))
    await shop.show()
    expect(document.querySelector('.pw')?.getAttribute('data-view')).toBe('preparing')
    shop.merchant.reset('POST /checkouts')
    await pass(4900)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    await pass(200)
    expect(shop.merchant.count('POST /checkouts')).toBe(2)
    expect(hasAddress()).toBe(true)
  })

  it('says so when the shop does not answer, keeps trying, and recovers', async () => {
    const onError = vi.fn()
    shop.merchant.on('POST /checkouts', () => 'down')
    await shop.show({ onError })
    await pass(20_000)
    expect(heading()).toBe('The shop does not answer')
    expect(onError).toHaveBeenCalledTimes(1)
    shop.merchant.reset('POST /checkouts')
    await pass(60_000)
    expect(hasAddress()).toBe(true)
  })

  it('shows no panel and a clear word when an answer cannot be trusted', async () => {
    shop.merchant.on('POST /checkouts', () => ({ json: { ...shop.checkout, key: 'k', address: 'bc1q?amount=1' } }))
    const onError = vi.fn()
    await shop.show({ onError })
    expect(heading()).toBe('This payment cannot start')
    expect(screen.getByText(/Reference: \d{6}$/)).toBeTruthy()
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_answer' })
    await pass(60_000)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    shop.merchant.reset('POST /checkouts')
    press('Try again')
    await pass(0)
    expect(hasAddress()).toBe(true)
  })

  it('refuses options that do not go together, without a request', async () => {
    const onError = vi.fn()
    await shop.show({ asset: 'BTC', onError })
    expect(shop.merchant.requests).toEqual([])
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_options' })
  })
})

describe('choosing', () => {
  beforeEach(() => {
    shop.merchant.on('POST /checkouts', ({ body }) =>
      body && typeof body === 'object' && 'asset' in body
        ? { json: { ...shop.checkout, key: 'k' } }
        : { json: { v: 1, offer: twoMethods } },
    )
    shop.merchant.on('POST /offer', () => ({ json: twoMethods }))
  })

  it('needs no second request to offer the choice, and one to take it, however often it is pressed', async () => {
    await shop.show()
    expect(heading()).toBe('What would you like to pay with?')
    expect(shop.merchant.requests).toHaveLength(1)
    press(/^Bitcoin/)
    press(/^Bitcoin/)
    press(/^Ether/)
    await pass(0)
    expect(shop.merchant.count('POST /checkouts')).toBe(2)
    expect(shop.merchant.requests.at(-1)?.body).toEqual({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    expect(hasAddress()).toBe(true)
  })

  it('names the network of each method, and distinguishes two of one asset', async () => {
    const tether = (network: string) => ({ asset: 'USDT', network, name: 'Tether', ...networkInfo(network) })
    const methods = [...twoMethods.methods, tether('erc-20'), tether('trc-20')]
    shop.merchant.on('POST /checkouts', () => ({ json: { v: 1, offer: { ...twoMethods, methods } } }))
    await shop.show()
    for (const name of [
      /^Bitcoin.*Bitcoin\s*network$/,
      /^Ether.*Ethereum \(ERC-20\)\s*network$/,
      /^Tether.*Ethereum \(ERC-20\)\s*network$/,
      /^Tether.*Tron \(TRC-20\)\s*network$/,
    ])
      expect(screen.getAllByRole('button', { name })).toHaveLength(1)
  })

  it('has fields that belong to no form around the component, which Enter would submit', async () => {
    const named = (at: number) => ({ asset: `COIN${at}`, network: 'bitcoin', name: `Coin ${at}` })
    const methods = Array.from({ length: 9 }, (_, at) => named(at))
    shop.merchant.on('POST /checkouts', () => ({ json: { v: 1, offer: { ...twoMethods, methods } } }))
    const { container } = await shop.show()
    const form = document.createElement('form')
    document.body.append(form)
    form.append(container)
    expect(screen.getByRole('searchbox')).toHaveProperty('form', null)
  })

  it('can be come back to, and left again without a request', async () => {
    await shop.show()
    press(/^Bitcoin/)
    await pass(0)
    press('Change')
    await pass(0)
    expect(shop.merchant.count('POST /offer')).toBe(1)
    expect(hasAddress()).toBe(false)
    press('Back')
    await pass(0)
    expect(hasAddress()).toBe(true)
  })

  it.each([
    ['the connection', 'down' as const, 'That did not work. Please try again.'],
    [
      'a limit',
      { status: 429, json: errorJson('rate_limited'), retryAfter: '540' },
      'That did not work. Please try again.',
    ],
    ['the visit', { status: 404, json: errorJson('not_offered') }, 'The shop does not know this order'],
  ])('says what is wrong when it is %s', async (_, answer, words) => {
    await shop.show()
    shop.merchant.on('POST /checkouts', () => answer)
    press(/^Ether/)
    await pass(20_000)
    expect(screen.getByRole('alert').textContent).toContain(words)
  })

  it('stays and says so when a method cannot be had', async () => {
    await shop.show()
    shop.merchant.on('POST /checkouts', () => ({ status: 502, json: errorJson('service_refused') }))
    press(/^Ether/)
    await pass(0)
    expect(screen.getByRole('alert').textContent).toBe('This way to pay is not available now. Please choose another.')
    expect(screen.getAllByRole('button').every((button) => button.ariaBusy !== 'true')).toBe(true)
  })
})
