// @vitest-environment jsdom
/** What reaches a payer who looks elsewhere. */
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, paid, pass, press, seen, setVisibility } from './widget.testing.tsx'

const shop = openShop()

function turn(state: 'visible' | 'hidden'): void {
  setVisibility(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

/** The paid screen, of a payment that was shown before. */
async function pay(): Promise<void> {
  shop.answerWith(paid)
  await pass(60_000)
}

describe('the title of the page', () => {
  beforeEach(() => {
    document.title = 'Checkout'
  })

  it('says that it is paid while the page is hidden, and no longer when it is looked at', async () => {
    await shop.show()
    turn('hidden')
    await pay()
    expect(document.title).toBe('✓ Paid')
    turn('visible')
    expect(document.title).toBe('Checkout')
    turn('hidden')
    expect(document.title).toBe('✓ Paid')
  })

  it('is the page\u2019s where the page sets another one, and when the widget goes', async () => {
    const { unmount } = await shop.show()
    turn('hidden')
    await pay()
    document.title = 'Order 42 is on its way'
    turn('visible')
    expect(document.title).toBe('Order 42 is on its way')
    turn('hidden')
    expect(document.title).toBe('✓ Paid')
    unmount()
    expect(document.title).toBe('Order 42 is on its way')
  })

  it('stays where the merchant wishes it, and while nothing is paid', async () => {
    await shop.show({ keepTitle: true })
    turn('hidden')
    await pay()
    expect(document.title).toBe('Checkout')
  })

  it('says nothing of a payment that is only seen', async () => {
    await shop.show()
    turn('hidden')
    shop.answerWith(seen)
    await pass(60_000)
    expect(document.title).toBe('Checkout')
  })
})

describe('the screen of a phone', () => {
  const locks: { isHeld: boolean }[] = []
  const request = vi.fn()
  beforeEach(() => {
    locks.length = 0
    request.mockReset().mockImplementation(async () => {
      const lock = { isHeld: true }
      locks.push(lock)
      const release = async () => {
        lock.isHeld = false
      }
      return { release }
    })
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true })
  })
  afterEach(() => Reflect.deleteProperty(navigator, 'wakeLock'))
  const held = () => locks.filter(({ isHeld }) => isHeld).length

  it('stays on while there is something to send, also after the page was hidden, and no longer', async () => {
    await shop.show()
    expect([held(), request.mock.lastCall]).toEqual([1, ['screen']])
    // Browsers take it away when the page is hidden.
    for (const lock of locks) lock.isHeld = false
    turn('hidden')
    await pass(0)
    expect(held()).toBe(0)
    turn('visible')
    await pass(0)
    expect(held()).toBe(1)
    shop.answerWith(seen)
    await pass(6_000)
    expect(held()).toBe(0)
    turn('visible')
    await pass(0)
    expect(held()).toBe(0)
  })

  it('may go dark where the browser refuses, and nothing is thrown', async () => {
    request.mockRejectedValue(new DOMException('no battery', 'NotAllowedError'))
    await shop.show()
    await pay()
    expect(screen.getByRole('heading').textContent).toBe('Paid, thank you')
  })
})

describe('a notification', () => {
  const shown = vi.fn()
  const tones = vi.fn()
  const requestPermission = vi.fn()
  beforeEach(() => {
    shown.mockReset()
    tones.mockReset()
    requestPermission.mockReset().mockResolvedValue('granted')
    vi.stubGlobal(
      'Notification',
      Object.assign(
        function notify(...told: unknown[]) {
          shown(...told)
        },
        { requestPermission },
      ),
    )
    const parameter = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined }
    const node = { connect: () => node, start: tones, stop: () => undefined, frequency: parameter, gain: parameter }
    vi.stubGlobal(
      'AudioContext',
      class {
        createOscillator = () => node
        createGain = () => node
      },
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  it('comes with a sound, once, when it was asked for by a press', async () => {
    await shop.show({ notify: true })
    expect(requestPermission).not.toHaveBeenCalled()
    press('Notify me when it is paid')
    await pass(0)
    expect(screen.getByText('You are told here when it is paid.')).toBeTruthy()
    shop.answerWith(seen)
    await pass(6_000)
    expect(shown).not.toHaveBeenCalled()
    await pay()
    expect(shown.mock.calls).toEqual([['Lantern Books', { body: '✓ Paid' }]])
    expect(tones).toHaveBeenCalledTimes(1)
  })

  it('is still on after a new quote, which another press has led to', async () => {
    shop.answerWith({ expiresInMs: 0 })
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    shop.merchant.on('POST /checkouts/:id/renew', () => {
      shop.answerWith({ id: 'successor', expiresInMs: 1_200_000 })
      return { json: { ...shop.checkout, key: 'another' } }
    })
    press('Get a new price')
    await pass(0)
    expect(screen.getByText('You are told here when it is paid.')).toBeTruthy()
    shop.answerWith({ ...paid, id: 'successor' })
    await pass(60_000)
    expect([shown, tones].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })

  it('comes once, however often the page draws it anew', async () => {
    const { rerender } = await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    await pay()
    rerender(shop.widget({ notify: true, texts: { paidTitle: 'Thank you' } }))
    rerender(shop.widget({ notify: true, texts: { stepPaid: 'Done' } }))
    expect([shown, tones].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })

  it('comes where another checkout of the cart has paid', async () => {
    document.title = 'Checkout'
    shop.answerWith({ expiresInMs: 0 })
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    turn('hidden')
    shop.answerWith({ cart: 'paid', revision: 2 })
    await pass(60_000)
    expect([shown, tones].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    expect(document.title).toBe('✓ Paid')
    turn('visible')
  })

  it('is not offered where nothing more is asked', async () => {
    shop.answerWith({ status: 'canceled', phase: 'ended' })
    await shop.show({ notify: true })
    expect(screen.queryByRole('button', { name: 'Notify me when it is paid' })).toBeNull()
  })

  it('is not offered but where the merchant wishes it, nor where it is paid', async () => {
    const offered = () => screen.queryByRole('button', { name: 'Notify me when it is paid' })
    const { unmount } = await shop.show()
    expect(offered()).toBeNull()
    unmount()
    await shop.show({ notify: true })
    expect(offered()).not.toBeNull()
    await pay()
    expect(offered()).toBeNull()
  })

  it('is only the sound where browsers have none, as on an iPhone', async () => {
    vi.stubGlobal('Notification', undefined)
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    await pay()
    expect(tones).toHaveBeenCalledTimes(1)
  })

  it('says so when the browser refuses, and then makes no sound', async () => {
    requestPermission.mockResolvedValue('denied')
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    expect(screen.getByText('Your browser does not allow notifications from this page.')).toBeTruthy()
    await pay()
    expect([shown, tones].map(({ mock }) => mock.calls)).toEqual([[], []])
  })

  it.each<[string, () => void]>([
    ['has no sound, as a phone that is locked down', () => vi.stubGlobal('AudioContext', undefined)],
    ['refuses by an error', () => requestPermission.mockRejectedValue(new TypeError('not in frames'))],
  ])('is not promised where the browser %s', async (_, refuse) => {
    refuse()
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    expect(screen.getByText('Your browser does not allow notifications from this page.')).toBeTruthy()
  })

  it('is only the sound where pages may not make any by themselves, as on phones', async () => {
    shown.mockImplementation(() => {
      throw new TypeError('Illegal constructor')
    })
    await shop.show({ notify: true })
    press('Notify me when it is paid')
    await pass(0)
    await pay()
    expect(tones).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('heading').textContent).toBe('Paid, thank you')
  })
})
