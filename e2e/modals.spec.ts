/** Modals one after the other, in a browser, which tells of a closing later than it closes. */
import type { Page } from '@playwright/test'
import { expect, openBody, test } from './test.ts'
import { widgetOn } from './widget.ts'

/** Higher than the window, with a lock of its own that nothing may change for good. */
const cart =
  '<main><h1>Cart</h1><button>Pay</button><p class="tall">A long page</p></main><script src="/paywindow.js"></script>'

interface Left {
  readonly dialogs: number
  readonly overflow: string
  readonly priority: string
  readonly focused: string
  readonly closed: number
}

test.beforeEach(async ({ page }) => {
  await openBody(page, cart)
  await page.evaluate(() => {
    const tall = document.querySelector('p')
    if (tall) tall.style.height = '5000px'
    document.documentElement.style.setProperty('overflow', 'scroll', 'important')
    document.querySelector('button')?.focus()
  })
})

/** What the steps have left on the page, once every task that they queued has run. */
async function play(
  page: Page,
  steps: readonly ('open' | 'other' | 'close first' | 'close last' | 'escape')[],
): Promise<Left> {
  return page.evaluate(async (list) => {
    const handles: { close(): void }[] = []
    let closed = 0
    const open = (method: { asset?: string; network?: string }) => {
      const onClose = () => {
        closed += 1
      }
      const handle = window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', ...method, onClose })
      if (handle) handles.push(handle)
    }
    const dialogs = () => [...document.body.children].flatMap((host) => host.shadowRoot?.querySelector('dialog') ?? [])
    for (const step of list) {
      if (step === 'open') open({})
      if (step === 'other') open({ asset: 'BTC', network: 'bitcoin' })
      if (step === 'close first') handles[0]?.close()
      if (step === 'close last') handles.at(-1)?.close()
      // As the browser itself closes it: the event comes later.
      if (step === 'escape') dialogs().at(-1)?.close()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    const { style } = document.documentElement
    return {
      dialogs: dialogs().filter((dialog) => dialog.open).length,
      overflow: style.overflow,
      priority: style.getPropertyPriority('overflow'),
      focused: document.activeElement?.textContent ?? '',
      closed,
    }
  }, steps)
}

const free = { dialogs: 0, overflow: 'scroll', priority: 'important', focused: 'Pay' }
const locked = { dialogs: 1, overflow: 'hidden' }

for (const { steps, left } of [
  { steps: ['open', 'close last'], left: { ...free, closed: 1 } },
  { steps: ['open', 'other'], left: { ...locked, closed: 1 } },
  { steps: ['open', 'other', 'close last'], left: { ...free, closed: 2 } },
  { steps: ['open', 'other', 'close first'], left: { ...locked, closed: 1 } },
  { steps: ['open', 'open', 'close first'], left: { ...free, closed: 1 } },
  { steps: ['open', 'close last', 'open'], left: { ...locked, closed: 1 } },
  { steps: ['open', 'close last', 'open', 'close first'], left: { ...locked, closed: 1 } },
  { steps: ['open', 'close last', 'open', 'close last'], left: { ...free, closed: 2 } },
  { steps: ['open', 'escape', 'open'], left: { ...locked, closed: 1 } },
  { steps: ['open', 'escape', 'other', 'escape'], left: { ...free, closed: 2 } },
  { steps: ['open', 'other', 'open', 'escape', 'close last', 'close first'], left: { ...free, closed: 3 } },
] as const) {
  test(`${steps.join(', ')}: ${left.dialogs === 0 ? 'the page is free' : 'one is open'}`, async ({ page }) => {
    expect(await play(page, steps)).toMatchObject(left)
    await page.mouse.move(200, 400)
    await page.mouse.wheel(0, 600)
    if (left.dialogs === 0) await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
    else await expect(page.getByRole('dialog')).toHaveCount(1)
  })
}

test('the one that was opened last is paid in, and closes with Esc', async ({ page }) => {
  await play(page, ['open', 'other'])
  await widgetOn(page).asksForMoney()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeFocused()
  expect(await play(page, ['other'])).toMatchObject(locked)
})

test('a router that replaces the body leaves a page that scrolls, and the next one opens', async ({ page }) => {
  await play(page, ['open'])
  await page.evaluate(() => {
    const body = document.createElement('body')
    const main = document.createElement('main')
    main.append(Object.assign(document.createElement('h1'), { textContent: 'Another page' }))
    body.append(main)
    document.body.replaceWith(body)
  })
  await expect.poll(() => page.evaluate(() => document.documentElement.style.overflow)).toBe('scroll')
  expect(await play(page, ['open'])).toMatchObject(locked)
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('callbacks that fail are reported to the page, and the payer sees the panel all the same', async ({
  page,
  complaints,
}) => {
  const codes = await page.evaluate(async () => {
    const seen: string[] = []
    const fail = () => {
      throw new Error('a mistake of the page')
    }
    addEventListener('error', (event) => {
      event.preventDefault()
      seen.push(event.message)
    })
    window.Paywindow?.open({
      endpoint: '/paywindow',
      reference: 'order-1042',
      asset: 'BTC',
      network: 'bitcoin',
      onStatusChange: fail,
      onError: ({ code }) => {
        seen.push(code)
        return Promise.reject(new Error('and another'))
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return seen
  })
  await widgetOn(page).asksForMoney()
  expect(codes.filter((text) => text === 'callback_failed')).toHaveLength(2)
  expect(codes.filter((text) => text.includes('a mistake of the page'))).toHaveLength(2)
  expect(codes.filter((text) => text.includes('and another'))).toHaveLength(2)
  complaints.splice(0)
})
