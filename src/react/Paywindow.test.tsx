// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout, Offer } from '../contract/checkout.ts'
import { errorJson, fakeMerchant } from './fakeMerchant.ts'
import { Paywindow, type PaywindowProps } from './Paywindow.tsx'

const address = checkoutFixture().address
const twoMethods: Offer = {
  v: 1,
  reference: 'cart-42',
  price: { asset: 'USD', amount: '49.9' },
  merchant: { name: 'Lantern Books' },
  methods: [
    { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
    { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  ],
  cart: 'open',
  test: false,
}

let current: Checkout
let merchant: ReturnType<typeof fakeMerchant>

beforeEach(() => {
  vi.useFakeTimers()
  current = checkoutFixture()
  merchant = fakeMerchant(() => current)
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  setVisibility('visible')
})

function setVisibility(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
}

async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}

function widget(props: Partial<PaywindowProps> = {}) {
  return <Paywindow endpoint="/paywindow" reference="cart-42" fetch={merchant.fetch} {...props} />
}

async function show(props: Partial<PaywindowProps> = {}) {
  const view = render(widget(props))
  await pass(0)
  return view
}

/** Whether the payer is asked to send to the address, which a folded line under Details does not do. */
function hasAddress(): boolean {
  return document.querySelector('.pw-exact')?.textContent === address
}

function press(name: string | RegExp): void {
  fireEvent.click(screen.getByRole('button', { name }))
}

describe('creation', () => {
  it('shows the panel after one request', async () => {
    await show()
    expect(merchant.requests).toEqual([
      { method: 'POST', path: '/checkouts', key: null, body: { reference: 'cart-42' } },
    ])
    expect(hasAddress()).toBe(true)
    expect(screen.getByRole('heading').textContent).toBe('Send exactly 0.00123456 BTC')
  })

  it('sends one request under StrictMode, which mounts twice', async () => {
    render(<StrictMode>{widget()}</StrictMode>)
    await pass(1000)
    expect(merchant.count('POST /checkouts')).toBe(1)
    expect(hasAddress()).toBe(true)
  })

  it('waits until the page is visible', async () => {
    setVisibility('hidden')
    await show()
    await pass(60_000)
    expect(merchant.requests).toEqual([])
    setVisibility('visible')
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    await pass(0)
    expect(merchant.count('POST /checkouts')).toBe(1)
  })

  it('is not sent for a component that was unmounted while it waited to be visible', async () => {
    setVisibility('hidden')
    const { unmount } = await show()
    unmount()
    setVisibility('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(60_000)
    expect(merchant.requests).toEqual([])
  })

  it('asks for the method it is given', async () => {
    await show({ asset: 'ETH', network: 'erc-20' })
    expect(merchant.requests[0]?.body).toEqual({ reference: 'cart-42', asset: 'ETH', network: 'erc-20' })
  })

  it('starts over for another cart, and shows nothing of the first', async () => {
    const { rerender } = await show()
    current = checkoutFixture({
      id: 'other',
      reference: 'cart-43',
      address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    })
    rerender(widget({ reference: 'cart-43' }))
    expect(hasAddress()).toBe(false)
    await pass(0)
    expect(merchant.requests.at(-1)?.body).toEqual({ reference: 'cart-43' })
    expect(document.body.textContent).toContain(current.address)
  })

  it('repeats a creation that the server could not answer yet, as late as it said', async () => {
    merchant.on('POST /checkouts', () => ({ status: 503, json: errorJson('service_unavailable'), retryAfter: '5' }))
    await show()
    expect(document.querySelector('.pw')?.getAttribute('data-view')).toBe('preparing')
    merchant.reset('POST /checkouts')
    await pass(4900)
    expect(merchant.count('POST /checkouts')).toBe(1)
    await pass(200)
    expect(merchant.count('POST /checkouts')).toBe(2)
    expect(hasAddress()).toBe(true)
  })

  it('says so when the shop does not answer, keeps trying, and recovers', async () => {
    const onError = vi.fn()
    merchant.on('POST /checkouts', () => 'down')
    await show({ onError })
    await pass(20_000)
    expect(screen.getByRole('heading').textContent).toBe('The shop does not answer')
    expect(onError).toHaveBeenCalledTimes(1)
    merchant.reset('POST /checkouts')
    await pass(60_000)
    expect(hasAddress()).toBe(true)
  })

  it('shows no panel and a clear word when an answer cannot be trusted', async () => {
    merchant.on('POST /checkouts', () => ({ json: { ...current, key: 'k', address: 'bc1q?amount=1' } }))
    const onError = vi.fn()
    await show({ onError })
    expect(screen.getByRole('heading').textContent).toBe('This payment cannot start')
    expect(screen.getByText(/invalid_answer/)).toBeTruthy()
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_answer' })
    await pass(60_000)
    expect(merchant.count('POST /checkouts')).toBe(1)
    merchant.reset('POST /checkouts')
    press('Try again')
    await pass(0)
    expect(hasAddress()).toBe(true)
  })

  it('refuses options that do not go together, without a request', async () => {
    const onError = vi.fn()
    await show({ asset: 'BTC', onError })
    expect(merchant.requests).toEqual([])
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_options' })
  })
})

describe('choosing', () => {
  beforeEach(() => {
    merchant.on('POST /checkouts', ({ body }) =>
      body && typeof body === 'object' && 'asset' in body
        ? { json: { ...current, key: 'k' } }
        : { json: { v: 1, offer: twoMethods } },
    )
    merchant.on('GET /offer', () => ({ json: twoMethods }))
  })

  it('needs no second request to offer the choice, and one to take it, however often it is pressed', async () => {
    await show()
    expect(screen.getByRole('heading').textContent).toBe('What would you like to pay with?')
    expect(merchant.requests).toHaveLength(1)
    press(/^Bitcoin/)
    press(/^Bitcoin/)
    press(/^Ether/)
    await pass(0)
    expect(merchant.count('POST /checkouts')).toBe(2)
    expect(merchant.requests.at(-1)?.body).toEqual({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    expect(hasAddress()).toBe(true)
  })

  it('can be come back to, and left again without a request', async () => {
    await show()
    press(/^Bitcoin/)
    await pass(0)
    press('Change')
    await pass(0)
    expect(merchant.count('GET /offer')).toBe(1)
    expect(hasAddress()).toBe(false)
    press('Back')
    await pass(0)
    expect(hasAddress()).toBe(true)
  })

  it('stays and says so when a method cannot be had', async () => {
    await show()
    merchant.on('POST /checkouts', () => ({ status: 502, json: errorJson('service_refused') }))
    press(/^Ether/)
    await pass(0)
    expect(screen.getByRole('alert').textContent).toBe(
      'This way to pay is not available right now. Please choose another.',
    )
    expect(screen.getAllByRole('button').every((button) => button.ariaBusy !== 'true')).toBe(true)
  })
})

describe('status', () => {
  it('is polled with the key, one request at a time', async () => {
    await show()
    await pass(12_000)
    const polls = merchant.requests.slice(1)
    expect(polls.length).toBeGreaterThanOrEqual(3)
    expect(polls.length).toBeLessThanOrEqual(5)
    expect(polls.every(({ method, key }) => method === 'GET' && key === 'key-of-the-payer')).toBe(true)
  })

  it('does not overlap when an answer takes long', async () => {
    await show()
    let running = 0
    let most = 0
    merchant.on('GET /checkouts/:id', async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 9000))
      running -= 1
      return { json: current }
    })
    await pass(40_000)
    expect(most).toBe(1)
  })

  it('goes from waiting to seen to paid, tells the page of each once, and then asks no more', async () => {
    const onStatusChange = vi.fn()
    const onConfirmed = vi.fn()
    await show({ onStatusChange, onConfirmed })
    current = checkoutFixture({ revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(4000)
    expect(screen.getByRole('heading').textContent).toBe('Deposit seen, being confirmed')
    expect(hasAddress()).toBe(false)
    current = checkoutFixture({ revision: 3, status: 'confirmed', phase: 'paid', cart: 'paid' })
    await pass(6000)
    expect(screen.getByRole('heading').textContent).toBe('Paid, thank you')
    expect(onStatusChange.mock.calls.map(([change]) => change.status)).toEqual(['preparing', 'waiting', 'seen', 'paid'])
    expect(onConfirmed).toHaveBeenCalledTimes(1)
    const asked = merchant.requests.length
    await pass(600_000)
    window.dispatchEvent(new Event('focus'))
    await pass(0)
    expect(merchant.requests).toHaveLength(asked)
  })

  it('never goes back to an older answer', async () => {
    await show()
    current = checkoutFixture({ revision: 3, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(4000)
    current = checkoutFixture({ revision: 2 })
    await pass(12_000)
    expect(screen.getByRole('heading').textContent).toBe('Deposit seen, being confirmed')
  })

  it('keeps the panel while the connection is gone, says so, and clears it when it is back', async () => {
    await show()
    merchant.on('GET /checkouts/:id', () => 'down')
    await pass(4000)
    expect(hasAddress()).toBe(true)
    expect(document.querySelector('footer')?.textContent).toContain('Connection lost, trying again')
    expect(screen.getByRole('status').textContent).toBe('Connection lost, trying again')
    merchant.reset('GET /checkouts/:id')
    await act(async () => window.dispatchEvent(new Event('online')))
    await pass(0)
    expect(document.querySelector('footer')?.textContent).not.toContain('Connection lost')
  })

  it.each([
    ['an unknown status', { json: { ...checkoutFixture(), status: 'teapot' } }],
    ['a 404 for a moment', { status: 404, json: errorJson('not_found') }],
    ['HTML', { status: 200, text: '<html>' }],
  ])('%s changes nothing on the screen and goes to onError once', async (_name, answer) => {
    const onError = vi.fn()
    await show({ onError })
    const before = document.querySelector('.pw-body')?.innerHTML
    merchant.on('GET /checkouts/:id', () => answer)
    await pass(30_000)
    expect(document.querySelector('.pw-body')?.innerHTML).toBe(before)
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it.each(['focus', 'pageshow', 'online'])('is asked at once on %s', async (name) => {
    await show()
    await pass(2000)
    const asked = merchant.requests.length
    await act(async () => window.dispatchEvent(new Event(name)))
    await pass(0)
    expect(merchant.requests).toHaveLength(asked + 1)
  })

  it('is asked slowly while the tab is hidden', async () => {
    await show()
    setVisibility('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(4000)
    const asked = merchant.requests.length
    await pass(60_000)
    expect(merchant.requests.length - asked).toBeLessThanOrEqual(3)
    expect(merchant.requests.length - asked).toBeGreaterThanOrEqual(1)
  })

  it('hides the address when another checkout of the cart was paid', async () => {
    await show()
    current = checkoutFixture({ cart: 'paid' })
    await pass(4000)
    expect(hasAddress()).toBe(false)
    expect(screen.getByRole('heading').textContent).toBe('This order is already paid')
  })
})

describe('the end of a quote', () => {
  it('takes address, code and copy buttons away with the first task after it', async () => {
    current = checkoutFixture({ expiresInMs: 4000 })
    await show()
    await pass(3900)
    expect(hasAddress()).toBe(true)
    await pass(101)
    expect(screen.getByRole('heading').textContent).toBe('This quote is over')
    expect(document.querySelector('.pw-qr-code')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Copy address/ })).toBeNull()
    expect(document.querySelector('details')?.textContent).toContain(`Old address, not to be used: ${address}`)
    expect(document.querySelector('details')?.open).toBe(false)
  })

  it('comes when a device slept through it, before anything is asked', async () => {
    let sleptMs = 0
    const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() + sleptMs })
    await show({ clock })
    sleptMs = 3_600_000
    await pass(1000)
    expect(hasAddress()).toBe(false)
  })

  it('asks the server at once when a clock jumped', async () => {
    let jumpMs = 0
    const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() + jumpMs })
    await show({ clock })
    jumpMs = -3_600_000
    const asked = merchant.requests.length
    await pass(1000)
    expect(merchant.requests).toHaveLength(asked + 1)
    expect(hasAddress()).toBe(true)
  })

  it('goes on watching, and shows a late deposit', async () => {
    current = checkoutFixture({ expiresInMs: 0 })
    await show()
    press('I have already sent it')
    expect(screen.getByRole('heading').textContent).toBe('We keep looking for your deposit')
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    current = checkoutFixture({ expiresInMs: 0, revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(13_000)
    expect(screen.getByRole('heading').textContent).toBe('Deposit seen, being confirmed')
  })

  it('leads to a new quote with one press, and one request however often it is pressed', async () => {
    current = checkoutFixture({ expiresInMs: 0 })
    await show()
    merchant.on('POST /checkouts/:id/renew', ({ key }) => {
      current = checkoutFixture({ id: 'successor', amount: '0.00125', expiresInMs: 1_200_000 })
      return { json: { ...current, key: `${key}-2` } }
    })
    press('Get a new quote')
    fireEvent.click(screen.getByRole('button', { name: 'Preparing your payment…' }))
    await pass(0)
    expect(merchant.count('POST /checkouts/c7QxN2mVt9fLe/renew')).toBe(1)
    expect(screen.getByRole('heading').textContent).toBe('Send exactly 0.00125 BTC')
    await pass(4000)
    expect(merchant.requests.at(-1)).toMatchObject({ path: '/checkouts/successor', key: 'key-of-the-payer-2' })
  })

  it('shows the deposit instead of a new quote when one was seen meanwhile', async () => {
    current = checkoutFixture({ expiresInMs: 0 })
    await show()
    merchant.on('POST /checkouts/:id/renew', () => ({ status: 409, json: errorJson('already_seen') }))
    current = checkoutFixture({ revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    press('Get a new quote')
    await pass(0)
    expect(screen.getByRole('heading').textContent).toBe('Deposit seen, being confirmed')
  })
})

describe('the countdown', () => {
  it('writes a text node each second and draws nothing', async () => {
    current = checkoutFixture({ expiresInMs: 300_900 })
    await show()
    const timer = screen.getByRole('timer')
    const node = timer.firstChild
    expect(timer.textContent).toBe('05:00')
    await pass(1000)
    expect(timer.textContent).toBe('04:59')
    expect(timer.firstChild).toBe(node)
  })

  it('is announced at five minutes, one minute and thirty seconds only', async () => {
    current = checkoutFixture({ expiresInMs: 305_000 })
    await show()
    const said: string[] = []
    const status = screen.getByRole('status')
    const observer = new MutationObserver(() => said.push(status.textContent ?? ''))
    observer.observe(status, { childList: true })
    await pass(304_000)
    observer.disconnect()
    expect(said).toEqual(['5 minutes left to pay', '1 minute left to pay', '30 seconds left to pay'])
  })
})

describe('in a page', () => {
  it('leaves no timer, listener or request behind', async () => {
    const listening = new Map<string, number>()
    const count = (name: string, by: number) => listening.set(name, (listening.get(name) ?? 0) + by)
    const spies = [window, document].flatMap((target) => [
      vi.spyOn(target, 'addEventListener').mockImplementation((name) => void count(name, 1)),
      vi.spyOn(target, 'removeEventListener').mockImplementation((name) => void count(name, -1)),
    ])
    const { unmount } = await show()
    await pass(5000)
    unmount()
    await pass(2000)
    const asked = merchant.requests.length
    expect(vi.getTimerCount()).toBe(0)
    for (const name of ['visibilitychange', 'focus', 'pageshow', 'online', 'offline']) {
      expect([name, listening.get(name)]).toEqual([name, 0])
    }
    await pass(600_000)
    expect(merchant.requests).toHaveLength(asked)
    for (const spy of spies) spy.mockRestore()
  })

  it('does not start over when callbacks are written inline, and calls the newest', async () => {
    const first = vi.fn()
    const second = vi.fn()
    const { rerender } = await show({ onStatusChange: first })
    rerender(widget({ onStatusChange: second }))
    current = checkoutFixture({ revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(4000)
    expect(merchant.count('POST /checkouts')).toBe(1)
    expect(second).toHaveBeenCalledTimes(1)
    expect(first).not.toHaveBeenCalledWith(expect.objectContaining({ status: 'seen' }))
  })

  it('keeps the key out of the page and out of what callbacks get', async () => {
    const told: unknown[] = []
    await show({ onStatusChange: (change) => void told.push(change) })
    expect(document.documentElement.outerHTML).not.toContain('key-of-the-payer')
    expect(JSON.stringify(told)).not.toContain('key-of-the-payer')
  })

  it('moves the focus to a result, but not away from a field of the page', async () => {
    const field = document.body.appendChild(document.createElement('input'))
    await show()
    expect(document.activeElement).toBe(document.body)
    field.focus()
    current = checkoutFixture({ revision: 2, status: 'pending', phase: 'seen', cart: 'seen' })
    await pass(4000)
    expect(document.activeElement).toBe(field)
    expect(screen.getByRole('status').textContent).toBe('Deposit seen, being confirmed')
    field.blur()
    current = checkoutFixture({ revision: 3, status: 'confirmed', phase: 'paid', cart: 'paid' })
    await pass(6000)
    expect(document.activeElement).toBe(screen.getByRole('heading'))
    field.remove()
  })

  it('shows the test band with a test account', async () => {
    current = checkoutFixture({ test: true })
    await show()
    expect(screen.getByText('Test: do not send money')).toBeTruthy()
  })

  it('speaks the texts it is given', async () => {
    await show({ texts: { sendExactly: 'Bitte genau' }, locale: 'de-DE' })
    expect(screen.getByRole('heading').textContent).toBe('Bitte genau 0.00123456 BTC')
    expect(document.querySelector('.pw')?.getAttribute('lang')).toBe('de-DE')
  })
})
