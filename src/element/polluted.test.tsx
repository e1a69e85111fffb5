// @vitest-environment jsdom
/**
 * A page whose settings parser has written texts to `Object.prototype`: none of them is an option,
 * a text or an answer.
 */
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture, offerFixture } from '../checkout/fixture.ts'
import { parseCheckout, parseOffer, parseOpened } from '../contract/parsers.ts'
import { openShop, pass } from '../react/widget.testing.tsx'
import { openPaywindow } from './dialog.ts'
import { register } from './register.ts'

const shop = openShop()
const evil = 'https://evil.example/'
const names = [
  ...['handoverUrl', 'supportUrl', 'texts', 'locale', 'theme', 'asset', 'network', 'clock', 'notify', 'keepTitle'],
  ...['description', 'returnUrl', 'icon', 'networkInfo', 'viewOnly', 'tag', 'method', 'body', 'headers'],
  ...['checkout', 'offer', 'error', 'cart', 'key', 'reference', 'code', 'onError', 'onStatusChange', 'onClose'],
  'polluted',
]

function pollute(name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true, enumerable })
}

// The card names the minute by which money must arrive.
beforeEach(() => vi.setSystemTime('2026-11-21T12:00:00Z'))

afterEach(() => {
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  vi.unstubAllGlobals()
})

/** What a payer sees, and where it leads. */
function seen(root: ParentNode | null | undefined): string {
  const links = [...(root?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  const panel = root?.querySelector('.pw')
  return JSON.stringify([panel?.querySelector('.pw-card')?.textContent, panel?.getAttribute('data-view'), links])
}

async function component(): Promise<string> {
  const { unmount, container } = render(shop.widget())
  await pass(1_000)
  const shown = seen(container)
  unmount()
  return shown
}

async function modal(): Promise<string> {
  register()
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = () => undefined
  vi.stubGlobal('fetch', shop.merchant.fetch)
  let opened: ReturnType<typeof openPaywindow> | undefined
  await act(async () => {
    opened = openPaywindow({ endpoint: '/paywindow', reference: 'cart-42' })
  })
  await pass(1_000)
  const shown = seen(opened?.element.shadowRoot)
  await act(async () => opened?.close())
  await pass(1_000)
  return shown
}

describe.each([
  ['the component', component],
  ['the modal', modal],
])('%s', (_, show) => {
  it.each(names)('shows and sends the same where all objects have %s', async (name) => {
    const expected = await show()
    expect(expected).toContain(checkoutFixture().address)
    const before = shop.merchant.requests.map(({ method, path, body }) => ({ method, path, body }))
    shop.merchant.requests.length = 0
    pollute(name, evil, false)
    const shown = await show()
    Reflect.deleteProperty(Object.prototype, name)
    expect(shown).toBe(expected)
    expect(shop.merchant.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual(before)
  })
})

describe('an answer', () => {
  const { description: _, networkInfo: __, ...plain } = checkoutFixture()
  const answers = [
    [parseCheckout, plain, ['description', 'networkInfo']],
    [parseOpened, { ...plain, key: 'k' }, ['description', 'networkInfo']],
    [parseOffer, offerFixture, ['description', 'checkout']],
  ] as const

  it.each(names)('has nothing that all objects have as %s', (name) => {
    for (const enumerable of [true, false])
      for (const [parse, json, leftOut] of answers) {
        const expected = JSON.stringify(parse(json))
        pollute(name, evil, enumerable)
        const answer = parse(json)
        const found = leftOut.filter((field) => Reflect.get(answer, field) !== undefined)
        const written = JSON.stringify(answer)
        Reflect.deleteProperty(Object.prototype, name)
        expect([written, found]).toEqual([expected, []])
      }
  })
})
