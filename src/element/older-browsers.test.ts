// @vitest-environment jsdom
/** Browsers at the floor, and below it: what they lack, taken away. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { openShop, pass } from '../react/widget.testing.tsx'

const words = 'The payment has not loaded yet.'
const shop = openShop()

beforeEach(() => {
  vi.stubGlobal('fetch', shop.merchant.fetch)
})
afterEach(async () => {
  document.body.replaceChildren()
  await pass(2_000)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function show(): Promise<HTMLElement> {
  document.body.innerHTML = `<pay-window endpoint="/paywindow" reference="cart-42">${words}</pay-window>`
  await pass(3_000)
  const element = document.body.firstElementChild
  if (!(element instanceof HTMLElement)) throw new Error('no element')
  return element
}

/** Whether what the page has in the element is what is shown. */
const showsOwnWords = ({ shadowRoot }: Element) => shadowRoot === null || shadowRoot.innerHTML === '<slot></slot>'

// First: a page's registry takes an element once.
it('below the floor the page\u2019s own words stay, and no order is made', async () => {
  const { openPaywindow } = await import('./open.ts')
  vi.stubGlobal('CSS', { supports: () => false })
  const say = vi.spyOn(console, 'error').mockReturnValue()
  expect(() => openPaywindow({ endpoint: '/paywindow', reference: 'cart-42' })).toThrow('older than Safari 15.4')
  expect(customElements.get('pay-window')).toBeUndefined()
  expect(showsOwnWords(await show())).toBe(true)
  expect(shop.merchant.requests).toEqual([])
  expect(say.mock.calls).toEqual([['Paywindow', expect.stringContaining('older than Safari 15.4')]])
})

it('below the floor a page that draws its own is refused, and no order is made', async () => {
  const { openSession } = await import('../session/open-session.ts')
  const refused = openSession(
    { endpoint: '/paywindow', reference: 'cart-42' },
    Object.create(globalThis, { CSS: { value: { supports: () => false } } }),
    () => undefined,
  )
  expect((await refused.step(new AbortController().signal)).view).toMatchObject({
    kind: 'refused',
    error: { code: 'invalid_options' },
  })
  expect(shop.merchant.requests).toEqual([])
})

describe('at the floor', () => {
  beforeEach(async () => {
    vi.stubGlobal('CSSStyleSheet', undefined)
    const { register } = await import('./register.ts')
    register()
  })

  it('the payment is shown with the styles in an element of their own, and again after another cart', async () => {
    const element = await show()
    for (const reference of ['cart-43', 'cart-44']) {
      expect(element.shadowRoot?.querySelector('.pw-exact')?.textContent).toBe(checkoutFixture().address)
      expect(element.shadowRoot?.querySelectorAll('style')).toHaveLength(1)
      element.setAttribute('reference', reference)
      await pass(3_000)
    }
  })

  it('a modal opens without the methods of dialogs, and closes', async () => {
    const { openPaywindow } = await import('./open.ts')
    const { close } = openPaywindow({ endpoint: '/paywindow', reference: 'cart-42' })
    await pass(3_000)
    const dialog = document.body.firstElementChild?.shadowRoot?.querySelector('dialog')
    expect(dialog?.hasAttribute('open')).toBe(true)
    close()
    await pass(0)
    expect(document.body.childElementCount).toBe(0)
    expect(document.documentElement.style.overflow).toBe('')
  })
})

it('on a page with a variable of its own named performance the wall clock counts', async () => {
  vi.stubGlobal('performance', { score: 1 })
  const element = await show()
  expect(element.shadowRoot?.querySelector('.pw')?.getAttribute('data-view')).toBe('waiting')
  const clock = () => element.shadowRoot?.querySelector('[role=timer]')?.textContent
  const before = clock()
  await pass(2_000)
  expect(clock()).toMatch(/^\d\d:\d\d$/)
  expect(clock()).not.toBe(before)
})

it.each(['attachShadow', 'replaceChildren'] as const)(
  'a page in which %s fails keeps its own words, asks for nothing more, and hears of it',
  async (name) => {
    const say = vi.spyOn(console, 'error').mockReturnValue()
    const owner: Pick<Element, typeof name> =
      name === 'attachShadow' ? Element.prototype : (ShadowRoot.prototype as never)
    vi.spyOn(owner, name).mockImplementationOnce(() => {
      throw new TypeError('not in this browser')
    })
    const heard = vi.fn()
    document.addEventListener('paywindow:error', heard)
    const element = await show()
    const asked = shop.merchant.requests.length
    await pass(60_000)
    expect(shop.merchant.requests).toHaveLength(asked)
    expect(showsOwnWords(element)).toBe(true)
    expect(heard.mock.calls.map(([{ detail }]) => detail.code)).toEqual(['internal'])
    expect(say).toHaveBeenCalled()
    document.removeEventListener('paywindow:error', heard)
  },
)
