// @vitest-environment jsdom
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../../checkout/fixture.ts'
import { en } from '../../locales/en.ts'

const checkout = checkoutFixture({ price: { asset: 'USD', amount: '49.9' } })
const quarterPastTwoMs = new Date(2026, 10, 22, 14, 15).getTime()

const load = async () => ({
  ...(await import('../setting.ts')),
  ...(await import('./Head.tsx')),
  ...(await import('./TimeOfDay.tsx')),
})
let parts: Awaited<ReturnType<typeof load>>

// A page is idle once, and from then on nothing waits.
beforeEach(async () => {
  vi.resetModules()
  parts = await load()
})
afterEach(cleanup)

function show(locale: string | undefined) {
  const { Head, TimeOfDay, SettingContext } = parts
  render(
    <SettingContext.Provider
      value={{ texts: en, locale, endpoint: '', handoverUrl: undefined, announce: () => undefined }}
    >
      <Head order={checkout}>
        <p>
          <TimeOfDay text="by {time}" atMs={quarterPastTwoMs} />
        </p>
      </Head>
    </SettingContext.Provider>,
  )
}

const price = () => document.querySelector('.pw-price')?.textContent
const time = () => document.querySelector('p')?.textContent

it('the price and the time stand in the first drawing', () => {
  show('en')
  expect(price()).toBe('$49.90')
  expect(time()).toBe('by 2:15 PM')
})

it('those that only Intl can write keep their room, and come when the page is idle', async () => {
  show('en-GB')
  expect([price(), time()]).toEqual(['\u00a0', '\u00a0'])
  await waitFor(() => expect([price(), time()]).toEqual(['US$49.90', 'by 14:15']))
})
