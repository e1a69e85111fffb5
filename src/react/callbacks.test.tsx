// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { offerFixture } from '../checkout/fixture.ts'
import { PaywindowError } from '../contract/errors.ts'
import { asRecord } from '../contract/parse.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'
import { errorJson } from './fake-merchant.testing.ts'
import { usePaywindow } from './index.ts'
import { openShop, paid, pass, seen } from './widget.testing.tsx'

const shop = openShop()

/** What the page's own monitoring gets to see. */
let reported: unknown[]
const onPageError = (event: ErrorEvent) => {
  event.preventDefault()
  reported.push(event.error)
}
beforeEach(() => {
  reported = []
  // Equal times between requests, so that equal runs show equal screens.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  window.addEventListener('error', onPageError)
})
afterEach(() => {
  window.removeEventListener('error', onPageError)
  vi.restoreAllMocks()
})

const mistake = new TypeError('a mistake of the page')
const names = ['onStatusChange', 'onConfirmed', 'onError'] as const

/** Ways in which a page's own code fails. */
const failures: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => {
    throw mistake
  },
  'throws what is no error': () => {
    throw 'a text'
  },
  'throws nothing': () => {
    throw undefined
  },
  'returns a promise that is rejected': () => Promise.reject(mistake),
  'returns what fails when it is awaited': () =>
    Object.defineProperty({}, 'then', {
      get: () => {
        throw mistake
      },
    }),
}
const cases = names.flatMap((name) => Object.entries(failures).map(([how, fail]) => ({ name, how, fail })))

/**
 * Every callback is called, each more than once if it can be: a failed creation, waiting, a failed
 * poll, seen, paid.
 */
async function play(callbacks: Readonly<Record<string, unknown>>, strict = false): Promise<readonly (string | null)[]> {
  // Screens say the time of day.
  vi.setSystemTime('2026-11-21T10:00:00Z')
  const screens: (string | null)[] = []
  const look = () => screens.push(document.body.textContent)
  shop.answerWith({})
  shop.merchant.on('POST /checkouts', () => ({ status: 503, json: errorJson('service_unavailable') }))
  const props = callbacks as PaywindowCallbacks
  const { unmount } = render(strict ? <StrictMode>{shop.widget(props)}</StrictMode> : shop.widget(props))
  await pass(0)
  look()
  shop.merchant.reset('POST /checkouts')
  await pass(10_000)
  look()
  shop.merchant.on('GET /checkouts/:id', () => 'down')
  await pass(7_000)
  look()
  shop.merchant.reset('GET /checkouts/:id')
  shop.answerWith(seen)
  await pass(20_000)
  look()
  shop.answerWith(paid)
  await pass(7_000)
  look()
  unmount()
  return screens
}

/** What is shown where no callback fails, played once for each mode. */
const undisturbed = new Map<boolean, Promise<readonly (string | null)[]>>()
function playUndisturbed(strict = false): Promise<readonly (string | null)[]> {
  const screens = undisturbed.get(strict) ?? play({}, strict)
  undisturbed.set(strict, screens)
  return screens
}

describe("a page's callback that fails", () => {
  it.each(cases)('$name that $how changes nothing on the screen, and is reported', async ({ name, fail }) => {
    for (const strict of [false, true]) {
      const expected = await playUndisturbed(strict)
      expect(new Set(expected).size).toBe(expected.length)
      reported = []
      const others = Object.fromEntries(names.map((each) => [each, vi.fn()]))
      const failing = vi.fn(fail)
      expect(await play({ ...others, [name]: failing }, strict)).toEqual(expected)
      expect(reported).toHaveLength(failing.mock.calls.length)
      expect(reported.length).toBeGreaterThan(0)
      // The others are told as ever, and onError is told of the one that failed.
      expect(name === 'onConfirmed' || others.onConfirmed?.mock.calls.length === 1).toBe(true)
      const errors = others.onError?.mock.calls.map(([error]) => error) ?? []
      const told = errors.filter(({ code }) => code === 'callback_failed')
      expect(told.map(({ cause }) => cause)).toEqual(name === 'onError' ? [] : reported)
      for (const error of told) expect(error).toBeInstanceOf(PaywindowError)
    }
  })

  it.each(names)('%s that is no function is reported too', async (name) => {
    const expected = await playUndisturbed()
    expect(await play({ [name]: 'a text' })).toEqual(expected)
    expect(reported[0]).toBeInstanceOf(TypeError)
  })

  it('may return a promise that never settles', async () => {
    const expected = await playUndisturbed()
    const endless = () => new Promise(() => undefined)
    expect(await play({ onStatusChange: endless, onConfirmed: endless, onError: endless })).toEqual(expected)
  })
})

describe("a page's callback that acts", () => {
  /** What has each of them called. */
  function prepare(name: (typeof names)[number]): void {
    if (name === 'onConfirmed') shop.answerWith(paid)
    if (name === 'onError') shop.merchant.on('POST /checkouts', ({ body }) => refusedUnless43(body))
  }

  it.each(names)('%s may take the widget off the page', async (name) => {
    let leave: (() => void) | undefined
    const callback = vi.fn(() => leave?.())
    prepare(name)
    const { unmount } = render(shop.widget({ [name]: callback }))
    leave = unmount
    await pass(0)
    expect(callback).toHaveBeenCalled()
    expect(document.body.textContent).toBe('')
    const asked = shop.merchant.requests.length
    await pass(600_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    expect(reported).toEqual([])
  })

  it.each(names)('%s may ask for another cart', async (name) => {
    const address = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
    let change: (() => void) | undefined
    prepare(name)
    const { rerender } = render(shop.widget({ [name]: () => change?.() }))
    change = () => {
      shop.answerWith({ id: 'other', reference: 'cart-43', address })
      rerender(shop.widget({ reference: 'cart-43' }))
    }
    await pass(2_000)
    expect(document.body.textContent).toContain(address)
    expect(reported).toEqual([])
  })

  it('may try again what failed, from within', async () => {
    shop.merchant.on('POST /checkouts', () => ({ status: 404, json: errorJson('not_offered') }))
    const handle: { retry?: () => void } = {}
    const onError = vi.fn(() => {
      shop.merchant.reset('POST /checkouts')
      handle.retry?.()
    })
    function Own() {
      const { view, retry } = usePaywindow({
        endpoint: '/paywindow',
        reference: 'cart-42',
        fetch: shop.merchant.fetch,
        onError,
      })
      handle.retry = retry
      return <p>{view.kind}</p>
    }
    render(<Own />)
    await pass(2_000)
    expect(onError).toHaveBeenCalledTimes(1)
    expect(document.body.textContent).toBe('waiting')
  })

  it('may go back and forth from within onStatusChange, which is called for every screen', async () => {
    const statuses: string[] = []
    const handle: { change?: () => void } = {}
    shop.answerWith({ expiresInMs: 60_000 })
    shop.merchant.on('POST /offer', () => ({ json: offerFixture }))
    function Own() {
      const { view, change } = usePaywindow({
        endpoint: '/paywindow',
        reference: 'cart-42',
        fetch: shop.merchant.fetch,
        onStatusChange: ({ status }) => {
          statuses.push(status)
          if (status === 'waiting') handle.change?.()
        },
      })
      handle.change = change
      return <p>{view.kind}</p>
    }
    render(<Own />)
    await pass(2_000)
    expect(statuses).toEqual(['preparing', 'waiting', 'choosing'])
    expect(document.body.textContent).toBe('choosing')
  })
})

function refusedUnless43(body: unknown) {
  return asRecord(body, 'body').reference === 'cart-43'
    ? { json: { ...shop.checkout, key: 'key' } }
    : { status: 404, json: errorJson('not_offered') }
}
