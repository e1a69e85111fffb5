// @vitest-environment jsdom
/** Every documented default of the widget is the code's: named or left out, it draws the same. */
import '../../src/gallery/layoutless.testing.ts'
import { act, cleanup } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { register } from '../../src/element/register.ts'
import type { PaywindowLooks, PaywindowProps } from '../../src/react/index.ts'
import { openShop, paid, pass, setVisibility } from '../../src/react/widget.testing.tsx'
import { inDocstrings, inOptions, valueIn } from './defaults.testing.ts'

const shop = openShop()

beforeAll(register)
beforeEach(() => {
  // Equal times between requests, so that equal runs show equal screens.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  // A page is told that the shop is away.
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  document.documentElement.lang = ''
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Of each option a value that is no default, so that it can be seen that the option counts. */
const another = {
  theme: 'dark',
  notify: true,
  keepTitle: true,
  handoverUrl: 'https://shop.example/pay',
  supportUrl: 'https://shop.example/help',
  texts: { sendExactly: 'Send no more than' },
} as const satisfies Omit<Required<PaywindowLooks>, 'locale'>
type Name = keyof typeof another

const documents = [inDocstrings('index', 'PaywindowLooks'), inOptions('`<Paywindow>`')]

/** The value that a documented phrase names. An empty value is named, too. */
function namedValue(name: Name, phrase = ''): unknown {
  const isNothing = [
    'false',
    'none',
    'off',
    'this is not offered',
    'the title is "✓ Paid" when it is paid while the page is hidden',
  ].includes(phrase)
  if (!isNothing) return valueIn(phrase)
  const value: unknown = another[name]
  if (typeof value === 'boolean') return false
  return typeof value === 'string' ? '' : {}
}

/** All that is visible of a payment that cannot start, waits, or is paid while hidden. */
async function drawn(show: () => Promise<() => string>): Promise<readonly string[]> {
  document.title = 'Checkout'
  // The screens name the time.
  vi.setSystemTime(Date.parse('2026-11-21T09:22:00.000Z'))
  shop.merchant.on('POST /checkouts', () => 'down')
  const away = await show()
  await pass(60_000)
  const unreachable = away()
  await leave()
  shop.merchant.reset('POST /checkouts')
  const look = await show()
  const waiting = look()
  setVisibility('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  shop.answerWith(paid)
  await pass(60_000)
  const all = [unreachable, waiting, look(), document.title]
  await leave()
  return all
}

/** The next payment starts as the first. */
async function leave(): Promise<void> {
  cleanup()
  document.body.replaceChildren()
  await pass(2_000)
  setVisibility('visible')
  shop.answerWith({})
}

/** Drawn ever anew, ids have other numbers. */
function withoutIds(html: string): string {
  return html.replace(/\b_r_\w+_/g, 'id')
}

async function component(props: Partial<PaywindowProps>): Promise<() => string> {
  const { container } = await shop.show(props)
  return () => withoutIds(container.innerHTML)
}

async function element(options: Readonly<Record<string, unknown>>): Promise<() => string> {
  vi.stubGlobal('fetch', shop.merchant.fetch)
  const made = document.createElement('pay-window')
  Object.assign(made, { endpoint: '/paywindow', reference: 'cart-42', ...options })
  await act(async () => document.body.append(made))
  await pass(300)
  return () => withoutIds(made.shadowRoot?.innerHTML ?? '')
}

describe.each([
  ['component', component],
  ['element', element],
])('the %s draws by default', (_, show) => {
  it.each(Object.keys(another) as Name[])('the %s of the documents', async (name) => {
    // With texts it has another locale by default.
    const withLocale = (options: object) => drawn(() => show({ locale: 'en', ...options }))
    const asLeftOut = await withLocale({})
    const phrases = documents.map((documented) => documented[name])
    expect(phrases).not.toContain(undefined)
    for (const phrase of phrases)
      expect(await withLocale({ [name]: namedValue(name, phrase) }), phrase).toEqual(asLeftOut)
    expect(await withLocale({ [name]: another[name] })).not.toEqual(asLeftOut)
  })
})

describe('the locale', () => {
  /** The language that is written on the card, on pages of these languages. */
  async function languages(show: typeof component | typeof element, options: Partial<PaywindowLooks> = {}) {
    const found: (string | undefined)[] = []
    for (const lang of ['en-GB', 'de']) {
      document.documentElement.lang = lang
      found.push(/<section [^>]*\blang="(.*?)"/.exec((await show(options))())?.[1])
      await leave()
    }
    return found
  }

  it('is the one of the documents', async () => {
    expect({
      "the page's `lang`": await languages(element, { texts: another.texts }),
      "the page's if that is English, else `en`": await languages(component),
      // The card has no language of its own then: what `Intl` writes is the browser's.
      "with `texts` the browser's": await languages(component, { texts: another.texts }),
    }).toEqual({
      "the page's `lang`": ['en-GB', 'de'],
      "the page's if that is English, else `en`": ['en-GB', 'en'],
      "with `texts` the browser's": [undefined, undefined],
    })
    expect(inDocstrings('element', 'PaywindowAttributes').locale).toBe("the page's `lang`")
    expect(documents.map(({ locale }) => locale)).toEqual([
      "the page's if that is English, else `en`; with `texts` the browser's",
      "element: the page's `lang`; React: English, and with `texts` the browser's language, so name it",
    ])
  })
})

it('asks the shop by what the documents say', async () => {
  expect(inOptions('`<Paywindow>`').fetch).toBe("the window's")
  vi.stubGlobal('fetch', shop.merchant.fetch)
  const look = await component({ fetch: undefined })
  expect(look()).toContain('data-view="waiting"')
})

describe('the docstrings of the element', () => {
  it('have the theme that it draws', async () => {
    const { theme = '' } = inDocstrings('element', 'PaywindowAttributes')
    expect((await element({}))()).toContain(`data-theme="${valueIn(theme)}"`)
  })

  it('say nothing of other defaults', () => {
    const names = Object.keys(inDocstrings('element', 'PaywindowAttributes'))
    expect(names.sort()).toEqual(['asset', 'locale', 'theme'])
  })
})
