// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, paid, pass } from '../react/widget.testing.tsx'
import { PaywindowElement } from './index.ts'
import { setLanguageFolders } from './language.ts'
import { register } from './register.ts'

const shop = openShop()

beforeEach(() => {
  vi.stubGlobal('fetch', shop.merchant.fetch)
})

afterEach(async () => {
  document.body.replaceChildren()
  await pass(2000)
  vi.unstubAllGlobals()
})

async function show(attributes: Record<string, string> = { endpoint: '/paywindow', reference: 'cart-42' }) {
  const element = document.createElement('pay-window')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  await act(async () => document.body.append(element))
  await pass(0)
  return element
}

/** All text but what is hidden. */
function seenText(element: PaywindowElement): string {
  const seen = [...(element.shadowRoot?.querySelectorAll('*') ?? [])].filter(
    (part) => getComputedStyle(part).visibility !== 'hidden',
  )
  return seen
    .flatMap((part) => [...part.childNodes])
    .map((node) => (node instanceof Text ? node.data : ''))
    .join('')
}

function shownAddress(element: PaywindowElement): string | null | undefined {
  return element.shadowRoot?.querySelector('.pw-exact')?.textContent
}

describe('importing', () => {
  it('registers nothing', () => {
    expect(customElements.get('pay-window')).toBeUndefined()
    expect(PaywindowElement.observedAttributes).toContain('endpoint')
  })

  it('leaves registering to a function that can be called twice', () => {
    register()
    register()
    expect(customElements.get('pay-window')).toBe(PaywindowElement)
  })
})

describe('<pay-window>', () => {
  it('shows the panel in its shadow root after one request, with a constructed style sheet and no style element', async () => {
    const element = await show()
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    expect(shownAddress(element)).toBe(shop.checkout.address)
    expect(element.shadowRoot?.adoptedStyleSheets).toHaveLength(1)
    expect(element.shadowRoot?.querySelector('style, [style]')).toBeNull()
  })

  it('asks before it draws, and once', async () => {
    const asked: (ShadowRoot | null)[] = []
    const element = document.createElement('pay-window')
    vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => {
      asked.push(element.shadowRoot)
      return shop.merchant.fetch(...request)
    })
    element.endpoint = '/paywindow'
    element.reference = 'cart-42'
    await act(async () => document.body.append(element))
    await pass(0)
    expect(asked).toEqual([null])
    expect(shownAddress(element)).toBe(shop.checkout.address)
  })

  it('keeps an empty card in its place, and draws a placeholder only when the answer takes longer', async () => {
    const answer = Promise.withResolvers<void>()
    vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
      await answer.promise
      return shop.merchant.fetch(...request)
    })
    const element = await show()
    expect(element.shadowRoot?.children).toHaveLength(1)
    await pass(199)
    expect(element.shadowRoot?.querySelectorAll('.pw-card')).toHaveLength(1)
    expect(element.shadowRoot?.querySelectorAll('.pw-bone')).toHaveLength(0)
    expect(seenText(element)).toBe('')
    await pass(1)
    expect(element.shadowRoot?.querySelectorAll('.pw-bone').length).toBeGreaterThan(0)
    expect(element.shadowRoot?.children).toHaveLength(1)
    answer.resolve()
    await pass(0)
    expect(shownAddress(element)).toBe(shop.checkout.address)
  })

  it('shows nothing of the cart before while the language of the next is on its way', async () => {
    setLanguageFolders([new URL('https://shop.example/locales/')])
    const element = await show()
    expect(shownAddress(element)).toBe(shop.checkout.address)
    vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
      input instanceof URL ? new Promise(() => undefined) : shop.merchant.fetch(input, init),
    )
    element.locale = 'de'
    await pass(0)
    // Another language alone is no reason to take away what can be read.
    expect(shownAddress(element)).toBe(shop.checkout.address)
    element.reference = 'cart-43'
    await pass(0)
    expect(seenText(element)).toBe('')
    // Without the file it is English at last.
    await pass(2000)
    expect(shownAddress(element)).toBe(shop.checkout.address)
  })

  it('asks for nothing until it knows endpoint and reference, and then once', async () => {
    const element = await show({})
    await pass(5000)
    expect(shop.merchant.requests).toEqual([])
    element.setAttribute('endpoint', '/paywindow')
    element.setAttribute('reference', 'cart-42')
    element.setAttribute('asset', 'BTC')
    element.setAttribute('network', 'bitcoin')
    await pass(0)
    expect(shop.merchant.requests.map(({ body }) => body)).toEqual([
      { reference: 'cart-42', asset: 'BTC', network: 'bitcoin' },
    ])
  })

  it('keeps what it shows when it is moved', async () => {
    const element = await show()
    const card = element.shadowRoot?.querySelector('.pw-card')
    await act(async () => document.body.appendChild(document.createElement('main')).append(element))
    await pass(0)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    expect(element.shadowRoot?.querySelector('.pw-card')).toBe(card)
  })

  it('stops when it is removed, and comes back when it is put back', async () => {
    const element = await show()
    await act(async () => element.remove())
    await pass(2000)
    const asked = shop.merchant.requests.length
    expect(vi.getTimerCount()).toBe(0)
    await pass(600_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    await act(async () => document.body.append(element))
    await pass(0)
    expect(shownAddress(element)).toBe(shop.checkout.address)
  })

  it('gives way to the page’s own words in another document, whichever way it comes there, and is another one back', async () => {
    const element = await show()
    element.textContent = 'The payment has not loaded yet.'
    const { contentDocument: other } = document.body.appendChild(document.createElement('iframe'))
    other?.adoptNode(element)
    await pass(2_000)
    await act(async () => other?.body.append(element))
    const there = other?.querySelector('pay-window')
    expect(there?.textContent).toBe('The payment has not loaded yet.')
    expect(there?.shadowRoot).toBeNull()
    const asked = shop.merchant.requests.length
    await pass(60_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    const template = document.createElement('template')
    template.content.append(await show())
    await act(async () => document.body.append(template.content))
    await pass(0)
    const back = document.querySelector('body > pay-window')
    expect(back instanceof PaywindowElement && shownAddress(back)).toBe(shop.checkout.address)
  })

  it('goes on to show what another device handed over where the page forgets the link', async () => {
    history.replaceState(null, '', '#paywindow=c7.token')
    const element = await show({ endpoint: '/paywindow' })
    expect(shownAddress(element)).toBe(shop.checkout.address)
    await pass(100)
    expect(location.hash).toBe('')
    history.replaceState(null, '', '/')
    element.theme = 'dark'
    await pass(6_000)
    expect(element.shadowRoot?.querySelector('.pw')?.getAttribute('data-theme')).toBe('dark')
    expect(shownAddress(element)).toBe(shop.checkout.address)
  })

  it('keeps what a payer types, selects and copies from a page that forbids it, and lets its drawers close', async () => {
    const element = await show()
    const forbid = (event: Event) => event.preventDefault()
    const names = ['keydown', 'mousedown', 'contextmenu']
    for (const name of names) document.addEventListener(name, forbid)
    const init = { bubbles: true, composed: true, cancelable: true }
    const goesOn = (event: Event) => element.shadowRoot?.querySelector('input')?.dispatchEvent(event)
    const keys = [' ', 'Enter', 'ArrowDown', 'c', 'Backspace', 'Escape', 'Tab']
    expect(keys.filter((key) => goesOn(new KeyboardEvent('keydown', { ...init, key })))).toEqual(keys.slice(0, 5))
    expect(['mousedown', 'contextmenu'].map((name) => goesOn(new MouseEvent(name, init)))).toEqual([true, true])
    for (const name of names) document.removeEventListener(name, forbid)
  })

  it('says once, to the page and in the console, that it cannot begin without endpoint and reference', async () => {
    const say = vi.spyOn(console, 'error').mockReturnValue()
    const element = document.createElement('pay-window')
    const heard = vi.fn()
    element.addEventListener('paywindow:error', ({ detail }) => heard(detail))
    element.endpoint = '/paywindow'
    await act(async () => document.body.append(element))
    element.theme = 'dark'
    await pass(4_999)
    expect(heard).not.toHaveBeenCalled()
    await pass(60_000)
    expect(heard.mock.calls).toEqual([[expect.objectContaining({ code: 'invalid_options' })]])
    expect(say.mock.calls).toEqual(heard.mock.calls.map(([error]) => ['Paywindow', 'invalid_options', error]))
    expect(shop.merchant.requests).toEqual([])
  })

  it('says nothing when they come in time, or when it has left the page', async () => {
    const say = vi.spyOn(console, 'error')
    const [late, gone] = [await show({}), await show({})]
    await pass(4_000)
    gone.remove()
    late.endpoint = '/paywindow'
    late.reference = 'cart-42'
    await pass(10_000)
    expect(shownAddress(late)).toBe(shop.checkout.address)
    expect(say).not.toHaveBeenCalled()
  })

  it('starts over for another reference and draws anew for another look', async () => {
    const element = await show()
    element.theme = 'dark'
    await pass(0)
    expect(element.shadowRoot?.querySelector('.pw')?.getAttribute('data-theme')).toBe('dark')
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
    element.reference = 'cart-43'
    await pass(0)
    expect(shop.merchant.requests.at(-1)?.body).toEqual({ reference: 'cart-43' })
  })

  it('takes texts as a property, also when they were set before it was known', async () => {
    const element = document.createElement('pay-window')
    Object.defineProperty(element, 'texts', {
      value: { sendExactly: 'Bitte genau' },
      configurable: true,
      enumerable: true,
      writable: true,
    })
    element.setAttribute('endpoint', '/paywindow')
    element.setAttribute('reference', 'cart-42')
    await act(async () => document.body.append(element))
    await pass(0)
    expect(element.shadowRoot?.querySelector('h2')?.textContent).toContain('Bitte genau')
  })

  it('sends events that leave shadow roots, once each, without the key', async () => {
    const told: [string, unknown][] = []
    const note = (event: Event) => void told.push([event.type, event instanceof CustomEvent ? event.detail : null])
    for (const name of ['status', 'confirmed', 'error']) document.addEventListener(`paywindow:${name}`, note)
    await show()
    shop.answerWith(paid)
    await pass(6000)
    for (const name of ['status', 'confirmed', 'error']) document.removeEventListener(`paywindow:${name}`, note)
    expect(
      told.map(([name, detail]) => [name, detail && typeof detail === 'object' && 'status' in detail && detail.status]),
    ).toEqual([
      ['paywindow:status', 'preparing'],
      ['paywindow:status', 'waiting'],
      ['paywindow:status', 'paid'],
      ['paywindow:confirmed', 'confirmed'],
    ])
    expect(JSON.stringify(told)).not.toContain('key-of-the-payer')
  })

  it('does not hear another one on the page', async () => {
    const first = await show()
    const second = await show({ endpoint: '/paywindow', reference: 'cart-43' })
    await act(async () => first.remove())
    await pass(5000)
    expect(shownAddress(second)).toBe(shop.checkout.address)
    expect(shop.merchant.count('POST /checkouts')).toBe(2)
  })
})
