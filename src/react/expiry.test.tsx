// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { errorJson } from './fake-merchant.testing.ts'
import { hasAddress, heading, openShop, pass, press, seen } from './widget.testing.tsx'

const shop = openShop()
const address = checkoutFixture().address
/** Those of the fields; *Copy details* stays. */
const copyButtons = /^Copy (Address|Amount)$/

describe('the end of a quote', () => {
  it('takes address, code and copy buttons away with the first task after it', async () => {
    shop.answerWith({ expiresInMs: 4000 })
    await shop.show()
    await pass(3900)
    expect(hasAddress()).toBe(true)
    expect(screen.getAllByRole('button', { name: copyButtons }).map(({ ariaLabel }) => ariaLabel)).toEqual([
      'Copy Amount',
      'Copy Address',
    ])
    await pass(101)
    expect(heading()).toBe('Time is up for this price')
    expect(document.querySelector('.pw-qr-code')).toBeNull()
    expect(screen.queryByRole('button', { name: copyButtons })).toBeNull()
    expect(document.body.textContent).not.toContain(address)
  })

  it('comes when a device slept through it, before anything is asked', async () => {
    let sleptMs = 0
    const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() + sleptMs })
    await shop.show({ clock })
    sleptMs = 3_600_000
    await pass(1000)
    expect(hasAddress()).toBe(false)
  })

  it('is written again as a time of day when the clock was set', async () => {
    let jumpMs = 0
    const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() + jumpMs })
    await shop.show({ clock })
    const written = () => document.querySelector('.pw-time time')?.getAttribute('datetime') ?? ''
    const before = Date.parse(written())
    jumpMs = -3_600_000
    await pass(1_000)
    expect(Math.abs(Date.parse(written()) - before + 3_600_000)).toBeLessThan(60_000)
  })

  it('asks the server at once when a clock jumped', async () => {
    let jumpMs = 0
    const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() + jumpMs })
    await shop.show({ clock })
    jumpMs = -3_600_000
    const asked = shop.merchant.requests.length
    await pass(1000)
    expect(shop.merchant.requests).toHaveLength(asked + 1)
    expect(hasAddress()).toBe(true)
  })

  it('goes on watching, and shows a late deposit', async () => {
    shop.answerWith({ expiresInMs: 0 })
    await shop.show()
    press('I have already sent it')
    expect(heading()).toBe('We keep looking for your payment')
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    // Whoever must not send again is offered nothing to send to.
    expect(screen.queryByRole('button', { name: 'Get a new price' })).toBeNull()
    press('Back')
    expect(heading()).toBe('Time is up for this price')
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    shop.answerWith({ expiresInMs: 0, revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(13_000)
    expect(heading()).toBe('We see your payment. Confirming…')
  })

  it('stays with who has sent, also when a new quote comes that was asked for before', async () => {
    shop.answerWith({ expiresInMs: 0 })
    await shop.show()
    const quote = Promise.withResolvers<void>()
    shop.merchant.on('POST /checkouts/:id/renew', async () => {
      await quote.promise
      return { json: checkoutFixture({ id: 'successor', expiresInMs: 1_200_000 }) }
    })
    press('Get a new price')
    press('I have already sent it')
    quote.resolve()
    await pass(15_000)
    expect(heading()).toBe('We keep looking for your payment')
    expect(shop.merchant.requests.at(-1)?.path).toBe(`/checkouts/${shop.checkout.id}`)
  })

  it('says that another press waits, whichever it was', async () => {
    shop.answerWith({ expiresInMs: 4_000, methodCount: 2 })
    await shop.show()
    shop.merchant.on('POST /offer', () => new Promise(() => undefined))
    press('Change')
    await pass(6_000)
    const button = screen.getByRole('button', { name: 'No answer yet…' })
    expect(button.ariaDisabled).toBe('true')
  })

  it('leads to a new quote with one press, and one request however often it is pressed', async () => {
    shop.answerWith({ expiresInMs: 0 })
    await shop.show()
    shop.merchant.on('POST /checkouts/:id/renew', ({ key }) => {
      shop.answerWith({ id: 'successor', amount: '0.00125', expiresInMs: 1_200_000 })
      return { json: { ...shop.checkout, key: `${key}-2` } }
    })
    press('Get a new price')
    fireEvent.click(screen.getByRole('button', { name: 'Preparing your payment…' }))
    await pass(0)
    expect(shop.merchant.count('POST /checkouts/c7QxN2mVt9fLe/renew')).toBe(1)
    expect(heading()).toBe('Send exactly 0.00125 BTC')
    await pass(6000)
    expect(shop.merchant.requests.at(-1)).toMatchObject({ path: '/checkouts/successor', key: 'key-of-the-payer-2' })
  })

  it('shows the deposit instead of a new quote when one was seen meanwhile', async () => {
    shop.answerWith({ expiresInMs: 0 })
    await shop.show()
    shop.merchant.on('POST /checkouts/:id/renew', () => ({ status: 409, json: errorJson('already_seen') }))
    shop.answerWith(seen)
    press('Get a new price')
    await pass(0)
    expect(heading()).toBe('We see your payment. Confirming…')
  })
})

describe('a new quote before the end of the one before', () => {
  it('is read out where its button was, which is gone with the old address', async () => {
    shop.answerWith({ expiresInMs: 120_000 })
    await shop.show()
    shop.merchant.on('POST /checkouts/:id/renew', () => {
      shop.answerWith({ id: 'successor', amount: '0.00125', expiresInMs: 1_200_000 })
      return { json: { ...shop.checkout, key: 'another' } }
    })
    await pass(2_000)
    press('get a new price')
    await pass(0)
    expect(heading()).toBe('Send exactly 0.00125 BTC')
    expect(document.activeElement).toBe(screen.getByRole('heading'))
  })
})

describe('a cart that has a deposit on another of its checkouts', () => {
  it('is read out and reported again when that is paid', async () => {
    const onStatusChange = vi.fn()
    shop.answerWith({ cart: 'seen', revision: 2 })
    await shop.show({ onStatusChange })
    const before = heading()
    shop.answerWith({ cart: 'paid', revision: 3 })
    await pass(300_000)
    expect(heading()).not.toBe(before)
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    expect(onStatusChange.mock.calls.map(([{ status, checkout }]) => `${status} ${checkout?.cart}`)).toEqual([
      'preparing undefined',
      'settledElsewhere seen',
      'settledElsewhere paid',
    ])
  })
})

describe('the countdown', () => {
  it('writes a text node each second and draws nothing', async () => {
    shop.answerWith({ expiresInMs: 300_900 })
    await shop.show()
    const timer = screen.getByRole('timer')
    const node = timer.firstChild
    expect(timer.textContent).toBe('05:00')
    await pass(1000)
    expect(timer.textContent).toBe('04:59')
    expect(timer.firstChild).toBe(node)
  })

  it('is announced at five minutes, one minute and thirty seconds only', async () => {
    shop.answerWith({ expiresInMs: 305_000 })
    await shop.show()
    const said: string[] = []
    const status = screen.getByRole('status')
    const observer = new MutationObserver(() => said.push(status.textContent ?? ''))
    observer.observe(status, { childList: true })
    await pass(304_000)
    observer.disconnect()
    expect(said).toEqual(['5 minutes left to pay', '1 minute left to pay', '30 seconds left to pay'])
  })
})
