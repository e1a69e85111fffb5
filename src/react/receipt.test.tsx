// @vitest-environment jsdom
/** What a payer keeps of it: a receipt to copy and print, and a slip to pay from. */
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { openShop, paid, pass, press } from './widget.testing.tsx'

const shop = openShop()
const history = [{ status: 'confirmed', phase: 'paid', at: '2026-11-21T09:43:00.000Z' }] as const

it('says what was paid, to whom, when and for what, and gives it as text', async () => {
  const writeText = vi.fn(async (_: string) => undefined)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  shop.answerWith({ ...paid, history, amount: '0.00123456' })
  await shop.show({ locale: 'en' })
  await pass(1_000)
  expect(document.querySelector('.pw-result .pw-note')?.textContent).toBe('$49.90 paid to Lantern Books')
  const rows = [...document.querySelectorAll('.pw-receipt div')].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  )
  expect(rows).toEqual([
    ['Paid with', 'Bitcoin (BTC)'],
    ['Amount', '0.00123456 BTC'],
    ['Date', new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(history[0].at))],
    ['Reference', 'c7QxN2mVt9fLe'],
  ])
  press('Copy receipt')
  await pass(0)
  expect(writeText.mock.lastCall?.[0]).toBe(rows.map((row) => row.join(': ')).join('\n'))
  expect(screen.getByRole('status').textContent).toBe('Copied')
})

it('says the order by its number where the shop has given one', async () => {
  shop.answerWith({ ...paid, history, orderNumber: '2026/0042' })
  await shop.show({ locale: 'en' })
  await pass(1_000)
  expect(document.querySelector('.pw-receipt div:last-child')?.textContent).toBe('Reference2026/0042')
})

it('is printed by a press', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  shop.answerWith({ ...paid, history })
  await shop.show()
  press('Print')
  expect(print).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
})

it('on paper the panel says until when it holds, with date and zone, and for which payment', async () => {
  await shop.show({ locale: 'en' })
  await pass(1_000)
  window.dispatchEvent(new Event('beforeprint'))
  const [end, payment] = document.querySelector('.pw-print')?.textContent?.split('\n') ?? []
  expect(end).toMatch(/^Must arrive before \w{3} \d+, \d{4}, \d+:\d\d:\d\d.[AP]M .+$/)
  expect(payment).toBe('Payment: c7QxN2mVt9fLe')
})

it('on paper the time is right, however wrong the clock of the device is', async () => {
  vi.setSystemTime('2026-11-21T15:00:00Z')
  await shop.show({ locale: 'en' })
  await pass(1_000)
  window.dispatchEvent(new Event('beforeprint'))
  const style = { dateStyle: 'medium', timeStyle: 'long' } as const
  const end = new Intl.DateTimeFormat('en', style).format(new Date(shop.checkout.expiresAt))
  expect(document.querySelector('.pw-print')?.textContent).toContain(`Must arrive before ${end}\n`)
})
