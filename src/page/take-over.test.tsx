// @vitest-environment jsdom
/** What the element does with what a server has written into its shadow root. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { version } from '../../package.json'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { setLanguageFolders } from '../element/language.ts'
import { register } from '../element/register.ts'
import { de } from '../locales/de.ts'
import { en } from '../locales/en.ts'
import { fr } from '../locales/fr.ts'
import { nl } from '../locales/nl.ts'
import { drawElement } from './element.tsx'

const other = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
let answer: Checkout
let load: (texts: object) => void
const asked = vi.fn()

beforeEach(() => {
  // Not at the end of a minute: a page that is drawn a moment later would name another.
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:05Z') })
  answer = checkoutFixture()
  asked.mockReset()
  setLanguageFolders([new URL('https://shop.example/locales/')])
  vi.stubGlobal('fetch', async (url: URL | string, init?: RequestInit) => {
    if (String(url).endsWith('.json'))
      return new Promise((resolve) => {
        load = (texts) => resolve(Response.json(texts))
      })
    asked(init?.method ?? 'GET')
    const { reference } = init?.body ? JSON.parse(String(init.body)) : answer
    return Response.json({ ...answer, reference, key: 'k' })
  })
  register()
})
afterEach(() => {
  document.body.replaceChildren()
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/**
 * Parses what a server has drawn, as browsers do. @param agoMs - How long ago it was drawn. @param
 * alter - What is in front of the server.
 */
function open(locale: string, { agoMs = 0, from = version, alter = (text: string) => text } = {}): ShadowRoot {
  const initial = { v: 1, writtenAtMs: Date.now() - agoMs, isHeld: false, checkout: answer } as const
  const text = drawElement({ endpoint: '/paywindow', reference: 'cart-42', languages: '', locale, initial })
  const parsed = new DOMParser().parseFromString(alter(text.replace(version, from)), 'text/html')
  const element = document.importNode(parsed.querySelector('pay-window') as Element, true)
  const template = element.querySelector<HTMLTemplateElement>('template[shadowrootmode=open]')
  if (template) element.attachShadow({ mode: 'open' }).append(template.content)
  template?.remove()
  document.body.append(element)
  if (!element.shadowRoot) vi.advanceTimersByTime(0)
  return element.shadowRoot ?? element.attachShadow({ mode: 'open' })
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

it('a language that never comes leaves no clock that stands still, and no button that does nothing', async () => {
  const root = open('nl')
  await vi.advanceTimersByTimeAsync(11_000)
  const clock = () => root.querySelector('[role=timer]')?.textContent
  const before = clock()
  expect(textOf(root)).toContain(en.sendExactly)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(clock()).not.toBe(before)
  root.querySelector<HTMLInputElement>('[type=radio]:not(:checked)')?.click()
  await vi.advanceTimersByTimeAsync(100)
  expect(root.querySelector('.pw-pay')?.getAttribute('data-place')).toBe('here')
  load(nl)
  await vi.advanceTimersByTimeAsync(100)
  expect(textOf(root)).toContain(nl.sendExactly)
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

it('what a payer has opened before the script was there stays open', async () => {
  answer = checkoutFixture({ status: 'pending', phase: 'seen', cart: 'seen' })
  const root = open('en')
  const fold = root.querySelector('details')
  if (fold) fold.open = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(root.querySelector('details')).toBe(fold)
  expect([...root.querySelectorAll('details')].map((each) => each.open)).toEqual([true])
})

it.each([
  ['an old page', { agoMs: 3_600_000 }],
  ['a server of another version', { from: '0.0.1' }],
  ['another cart', { alter: (text: string) => text.replace('cart-42', 'cart-7') }],
])('of %s nothing is shown, and the server is asked at once', async (_, options) => {
  const root = open('en', options)
  answer = checkoutFixture({ id: 'other', address: other })
  await vi.advanceTimersByTimeAsync(300)
  expect(asked.mock.calls).toEqual([['POST']])
  expect(root.querySelector('.pw-exact')?.textContent).toBe(other)
})

describe('what stands between server and browser may alter the page:', () => {
  const inTags = (text: string, change: (tag: string) => string) => text.replace(/<[a-z][^>]*>/g, change)
  const altered: Readonly<Record<string, (text: string) => string>> = {
    'white space is collapsed': (text) => text.replace(/\s+/g, ' ').replaceAll('> <', '><'),
    'lines are broken between tags': (text) => text.replace(/></g, '>\n  <'),
    'attributes lose their quotes': (text) => inTags(text, (tag) => tag.replace(/="([\w#/:.-]+)"(?!\/)/g, '=$1')),
    'usual attributes go': (text) => inTags(text, (tag) => tag.replace(/ (?:type="submit"|method="get")/g, '')),
    'attributes are sorted': (text) =>
      inTags(text, (tag) => {
        const [, name = '', written = '', end = ''] = /^<([\w-]+)((?: [^\s=>]+(?:="[^"]*")?)*)(.*)$/s.exec(tag) ?? []
        const all = written.match(/ [^\s=>]+(?:="[^"]*")?/g) ?? []
        return `<${name}${all.toSorted().join('')}${end}`
      }),
    'tags are closed by themselves': (text) => text.replaceAll('</p>', '').replace(/<\/(?:li|dd|dt)>/g, ''),
    'styles go': (text) => text.replace(/<style>.*?<\/style>/gs, ''),
    'paths are rounded': (text) => text.replace(/ d="[^"]*"/g, ' d="M0 0h1v1H0z"'),
    'pictures load late': (text) => text.replace(/ src="/g, ' src="/blank.gif" data-src="'),
    'links are counted': (text) => text.replace(/ href="[^"]*"/g, ' href="https://count.example/"'),
    'the data go': (text) => text.replace(/<script.*?<\/script>/s, ''),
    'the data break': (text) => text.replace('{"v":1', '{v:1'),
    'the root is a template': (text) => text.replace(' shadowrootmode="open"', ''),
    'the root goes': (text) => text.replace(/<template.*<\/template>/s, ''),
    'the root is opened': (text) => text.replace(/<\/?template[^>]*>/g, ''),
  }
  const widget = async (alter: (text: string) => string) => {
    const root = open('en', { alter })
    await vi.advanceTimersByTimeAsync(1_000)
    const whole = root.querySelector('.pw')
    // Times go on, and what is folded is there before it is opened.
    for (const part of whole?.querySelectorAll('.pw-foot, details > :not(summary), .pw-print') ?? []) part.remove()
    const attributes = ['d', 'href', 'src', 'data-src', 'aria-label', 'part'].flatMap((name) =>
      [...(whole?.querySelectorAll(`[${name}]`) ?? [])].map((part) => `${name}=${part.getAttribute(name)}`),
    )
    document.body.replaceChildren()
    return [...attributes, whole?.textContent]
  }

  it.each(Object.entries(altered))('%s', async (_, change) => {
    const alter = (text: string) => {
      const altered = change(text)
      expect(altered).not.toBe(text)
      return altered
    }
    answer = checkoutFixture({ asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/btc' } })
    const expected = await widget((text) => text.replace(/<template.*<\/template>/s, ''))
    expect(expected.filter((part) => part?.includes(checkoutFixture().address)).length).toBeGreaterThan(1)
    expect(await widget(alter)).toEqual(expected)
  })
})
