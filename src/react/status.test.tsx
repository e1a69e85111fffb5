// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { hasAddress, heading, openShop, paid, pass, press, seen, setVisibility } from './widget.testing.tsx'

const shop = openShop()

describe('status', () => {
  it('is polled with the key, one request at a time', async () => {
    await shop.show()
    await pass(20_000)
    const polls = shop.merchant.requests.slice(1)
    expect(polls.length).toBeGreaterThanOrEqual(3)
    expect(polls.length).toBeLessThanOrEqual(5)
    expect(polls.every(({ method, key }) => method === 'GET' && key === 'key-of-the-payer')).toBe(true)
  })

  it('does not overlap when an answer takes long', async () => {
    await shop.show()
    let running = 0
    let most = 0
    shop.merchant.on('GET /checkouts/:id', async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 9000))
      running -= 1
      return { json: shop.checkout }
    })
    await pass(40_000)
    expect(most).toBe(1)
  })

  it('goes from waiting to seen to paid, notifies the page of each once, and then stops polling', async () => {
    const onStatusChange = vi.fn()
    const onConfirmed = vi.fn()
    await shop.show({ onStatusChange, onConfirmed })
    shop.answerWith(seen)
    await pass(6000)
    expect(heading()).toBe('We see your payment. Confirming…')
    expect(hasAddress()).toBe(false)
    shop.answerWith(paid)
    await pass(6000)
    expect(heading()).toBe('Paid, thank you')
    expect(onStatusChange.mock.calls.map(([change]) => change.status)).toEqual(['preparing', 'waiting', 'seen', 'paid'])
    expect(onConfirmed).toHaveBeenCalledTimes(1)
    const asked = shop.merchant.requests.length
    await pass(600_000)
    window.dispatchEvent(new Event('focus'))
    await pass(0)
    expect(shop.merchant.requests).toHaveLength(asked)
  })

  it('is looked at on a press by payers who sent to an earlier address, and the press says when', async () => {
    const earlier = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
    shop.answerWith({ earlier })
    await shop.show()
    expect(document.querySelector('.pw-alert')?.textContent).toBe(
      'Did you already send to the earlier address …wf5mdq? Then do not send again. Check now',
    )
    await pass(1_000)
    const asked = shop.merchant.requests.length
    press('Check now')
    await pass(500)
    expect(shop.merchant.requests).toHaveLength(asked + 1)
    expect(document.querySelector('.pw-alert')?.textContent).toMatch(/again\. Checked \d/)
    expect(hasAddress()).toBe(true)
    shop.answerWith({ revision: 2, cart: 'seen' })
    await pass(6_000)
    expect(heading()).toBe('This order already has a payment')
  })

  it('never goes back to an older answer', async () => {
    await shop.show()
    shop.answerWith({ revision: 3, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(6000)
    shop.answerWith({ revision: 2 })
    await pass(12_000)
    expect(heading()).toBe('We see your payment. Confirming…')
  })

  it('keeps the panel while the connection is gone, says so, and clears it when it is back', async () => {
    await shop.show()
    shop.merchant.on('GET /checkouts/:id', () => 'down')
    await pass(6000)
    expect(hasAddress()).toBe(true)
    expect(document.querySelector('footer')?.textContent).toContain('Connection lost, trying again')
    expect(screen.getByRole('status').textContent).toBe('Connection lost, trying again')
    await pass(4000)
    expect(document.querySelector('.pw-warnings')?.textContent).toContain('Already sent? Do not send again.')
    shop.merchant.reset('GET /checkouts/:id')
    await act(async () => window.dispatchEvent(new Event('online')))
    await pass(0)
    expect(document.querySelector('footer')?.textContent).not.toContain('Connection lost')
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('announces the result that the connection brings when it is back', async () => {
    const field = document.body.appendChild(document.createElement('input'))
    await shop.show()
    field.focus()
    shop.merchant.on('GET /checkouts/:id', () => 'down')
    await pass(6000)
    shop.merchant.reset('GET /checkouts/:id')
    shop.answerWith(paid)
    await act(async () => window.dispatchEvent(new Event('online')))
    await pass(0)
    expect(screen.getByRole('status').textContent).toBe('Paid, thank you')
    field.remove()
  })

  it.each([
    ['an unknown status', { json: { ...checkoutFixture(), status: 'teapot' } }],
    ['a 404 of something in front', { status: 404, text: '<html>' }],
    ['a 404 of another API', { status: 404, json: { error: { code: 'not_found', message: 'no such path' } } }],
    ['HTML', { status: 200, text: '<html>' }],
  ])('%s changes nothing on the screen and goes to onError once', async (_name, answer) => {
    const onError = vi.fn()
    await shop.show({ onError })
    const before = document.querySelector('.pw-body')?.innerHTML
    shop.merchant.on('GET /checkouts/:id', () => answer)
    await pass(30_000)
    expect(document.querySelector('.pw-body')?.innerHTML).toBe(before)
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it.each([
    // Behind a slow proxy, whoever looks often would never see an answer.
    ['focus', 0],
    ['online', 1],
  ])('is asked for on %s, while another request is on its way, this many times: %i', async (name, count) => {
    await shop.show()
    shop.merchant.on('GET /checkouts/:id', () => new Promise(() => undefined))
    await pass(2_000)
    const come = () => act(async () => window.dispatchEvent(new Event(name)))
    await come()
    const asked = shop.merchant.requests.length
    await come()
    expect(shop.merchant.requests).toHaveLength(asked)
    await pass(2_000)
    shop.merchant.reset('GET /checkouts/:id')
    shop.answerWith(paid)
    await come()
    await pass(0)
    expect(shop.merchant.requests).toHaveLength(asked + count)
    expect(hasAddress()).toBe(count === 0)
  })

  it.each(['focus', 'pageshow', 'online'])('is asked at once on %s', async (name) => {
    await shop.show()
    await pass(2000)
    const asked = shop.merchant.requests.length
    await act(async () => window.dispatchEvent(new Event(name)))
    await pass(0)
    expect(shop.merchant.requests).toHaveLength(asked + 1)
  })

  it('is asked slowly while the tab is hidden', async () => {
    await shop.show()
    setVisibility('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(6000)
    const asked = shop.merchant.requests.length
    await pass(60_000)
    expect(shop.merchant.requests.length - asked).toBeLessThanOrEqual(3)
    expect(shop.merchant.requests.length - asked).toBeGreaterThanOrEqual(1)
  })

  it('goes on at the usual pace when the tab is shown just after it was asked', async () => {
    await shop.show()
    setVisibility('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    const polls = () => shop.merchant.requests.length
    await pass(6000)
    const hidden = polls()
    while (polls() === hidden) await pass(500)
    setVisibility('visible')
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    await pass(0)
    expect(polls()).toBe(hidden + 1)
    await pass(6000)
    expect(polls()).toBe(hidden + 2)
  })

  it('hides the address when another checkout of the cart was paid', async () => {
    await shop.show()
    shop.answerWith({ cart: 'paid' })
    await pass(6000)
    expect(hasAddress()).toBe(false)
    expect(heading()).toBe('This order is already paid')
  })
})
