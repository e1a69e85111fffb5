// @vitest-environment jsdom
/** What the element does with what a server has written into its shadow root. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { version } from '../../package.json'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { setLanguageFolders } from '../element/language.ts'
import { register } from '../element/register.ts'
import { de } from '../locales/de.ts'
import { en } from '../locales/en.ts'
import { fr } from '../locales/fr.ts'
import { drawElement } from './element.tsx'

const other = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
let answer: Checkout
let load: (texts: object) => void
const asked = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  answer = checkoutFixture()
  asked.mockReset()
  setLanguageFolders([new URL('https://shop.example/locales/')])
  vi.stubGlobal('fetch', async (url: URL | string, init?: RequestInit) => {
    if (String(url).endsWith('.json'))
      return new Promise((resolve) => {
        load = (texts) => resolve(Response.json(texts))
      })
    asked(init?.method ?? 'GET')
    return Response.json({ ...answer, key: 'k' })
  })
  register()
})
afterEach(() => {
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Parses what a server has drawn, as browsers do. @param agoMs - How long ago it was drawn. */
function open(locale: string, { agoMs = 0, from = version } = {}): ShadowRoot {
  const initial = { v: 1, writtenAtMs: Date.now() - agoMs, isHeld: false, checkout: checkoutFixture() } as const
  const text = drawElement({ endpoint: '/paywindow', reference: 'cart-42', languages: '', locale, initial })
  const parsed = new DOMParser().parseFromString(text.replace(version, from), 'text/html')
  const template = parsed.querySelector('template')
  const element = document.importNode(parsed.querySelector('pay-window') as Element, false)
  const root = element.attachShadow({ mode: 'open' })
  if (template) root.append(document.importNode(template.content, true))
  document.body.append(element)
  return root
}
const textOf = (root: ShadowRoot) => root.querySelector('.pw')?.textContent ?? ''
const codeOf = (root: ShadowRoot) => root.querySelector('.pw-qr-code path:last-child')?.getAttribute('d')

it('what is drawn stays, element by element, and the rest goes', async () => {
  const root = open('en')
  const widget = root.querySelector('.pw')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(root.querySelector('.pw')).toBe(widget)
  expect([...root.children].map(({ localName }) => localName)).not.toContain('script')
  expect(root.querySelector('.pw-over')).toBeNull()
  expect(asked).not.toHaveBeenCalled()
})

it('until its language is loaded, what the server wrote stays whole, its end included', async () => {
  const root = open('de')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(textOf(root)).toContain(de.sendExactly)
  expect(root.querySelector('style')?.textContent).toContain('pw-hide')
  load(de)
  await vi.advanceTimersByTimeAsync(100)
  expect(textOf(root)).toContain(de.sendExactly)
  expect(root.querySelector('.pw-over')).toBeNull()
})

it('what is no longer true does not wait for its language, and no part of it stays', async () => {
  const root = open('fr')
  const before = codeOf(root)
  answer = checkoutFixture({ id: 'other', address: other })
  await vi.advanceTimersByTimeAsync(8_000)
  expect(textOf(root)).toContain(en.sendExactly)
  expect(root.querySelector('.pw-exact')?.textContent).toBe(other)
  expect(codeOf(root)).not.toBe(before)
  load(fr)
  await vi.advanceTimersByTimeAsync(100)
  expect(textOf(root)).toContain(fr.sendExactly)
})

it('what a translator has replaced is written anew, and copied values are exact', async () => {
  const root = open('en')
  for (const element of root.querySelectorAll('.pw *'))
    for (const node of [...element.childNodes])
      if (node instanceof Text && !element.closest('[translate=no], svg')) {
        const font = document.createElement('font')
        font.textContent = `translated ${node.data}`
        node.replaceWith(font)
      }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(textOf(root)).not.toContain('translated')
  expect(textOf(root).split(en.sendExactly)).toHaveLength(2)
  expect(root.querySelector('.pw-exact')?.textContent).toBe(answer.address)
  expect(root.querySelector('.pw-number')?.textContent).toBe(answer.amount)
})

it.each([
  ['an old page', { agoMs: 3_600_000 }],
  ['a server of another version', { from: '0.0.1' }],
])('of %s nothing is shown, and the server is asked at once', async (_, options) => {
  const root = open('en', options)
  answer = checkoutFixture({ id: 'other', address: other })
  await vi.advanceTimersByTimeAsync(300)
  expect(asked.mock.calls).toEqual([['POST']])
  expect(root.querySelector('.pw-exact')?.textContent).toBe(other)
})
