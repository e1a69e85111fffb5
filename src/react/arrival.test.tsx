// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Arrival, Checkout } from '../contract/checkout.ts'
import { networkInfo } from '../contract/networks/table.ts'
import { heading, openShop, paid, pass, seen } from './widget.testing.tsx'

const shop = openShop()
const usd = (amount: string) => ({ asset: 'USD', amount })
const btc = (amount: string) => ({ asset: 'BTC', amount })

/** What stands in the rows, after the next poll. */
async function rowsOf(changes: Partial<Checkout>): Promise<readonly string[]> {
  shop.answerWith(changes)
  await shop.show()
  await pass(6_000)
  return [...document.querySelectorAll('.pw-receipt div')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join(': '),
  )
}

const seenWith = (arrival: Arrival): Partial<Checkout> => ({ ...seen, arrival })

/** Seen when the answer is written, by the clock of the server. */
function seenNow(): Partial<Checkout> {
  const { expiresAt, expiresInMs } = checkoutFixture()
  const at = new Date(Number(new Date(expiresAt)) - expiresInMs).toISOString()
  return { ...seen, history: [{ status: 'pending', phase: 'seen', at }] }
}

afterEach(() => void vi.restoreAllMocks())

describe('what arrived', () => {
  it('is not reported yet, where nothing is known', async () => {
    expect(await rowsOf(seen)).toEqual(['Asked for: 0.00123456 BTC', 'Received: amount not reported yet'])
    expect(heading()).toBe('We see your payment. Confirming…')
  })

  it.each<[string, Arrival, string, readonly string[]]>([
    [
      'less',
      { kind: 'short', received: btc('0.001'), due: btc('0.00023456') },
      'Less arrived than was asked for',
      ['Asked for: 0.00123456 BTC', 'Received: 0.001 BTC', 'Missing: 0.00023456 BTC'],
    ],
    [
      'less of the price, where only that is shown',
      { kind: 'short', received: usd('5'), due: usd('44.9') },
      'Less arrived than was asked for',
      ['Asked for: 49.9 USD', 'Received: 5 USD', 'Missing: 44.9 USD'],
    ],
    [
      'more',
      { kind: 'over', received: btc('0.002'), returned: btc('0.00076544') },
      'More arrived than was asked for',
      ['Asked for: 0.00123456 BTC', 'Received: 0.002 BTC', 'Coming back: 0.00076544 BTC'],
    ],
    [
      'another coin',
      { kind: 'other', received: { asset: 'LTC', amount: '1.25' } },
      'The wrong coin arrived',
      ['Asked for: 0.00123456 BTC', 'Received: 1.25 LTC'],
    ],
    [
      'too late',
      { kind: 'late' },
      'Your payment arrived late',
      ['Asked for: 0.00123456 BTC', 'Received: amount not reported yet'],
    ],
  ])('is told: %s', async (_, arrival, title, rows) => {
    expect(await rowsOf(seenWith(arrival))).toEqual(rows)
    expect(heading()).toBe(title)
    expect(screen.queryByText('Confirming your payment')).toBeNull()
    expect(screen.getByText(/takes care of this by itself/)).toBeTruthy()
    expect(screen.getByText('Do not send anything now.')).toBeTruthy()
    expect(document.querySelector('.pw-now')?.textContent).toMatch(/^Checked \d+ sec. ago$/)
  })

  it('is coming back, and the shop can be asked', async () => {
    const rows = await rowsOf({
      revision: 3,
      status: 'canceled',
      phase: 'ended',
      arrival: { kind: 'returning', returned: btc('0.00123456') },
      merchant: { name: 'Lantern Books', supportUrl: 'https://shop.example/help' },
    })
    expect([heading(), ...rows]).toEqual(['Your payment is being returned', 'Coming back: 0.00123456 BTC'])
    expect(screen.getByRole('link', { name: /Contact the shop/ })).toBeTruthy()
    // It can be paid once more.
    expect(screen.getByRole('button', { name: 'Get a new price' }).textContent).toBe('Get a new priceOrder 42')
  })

  it('stands on the screen of another quote of the cart, too', async () => {
    const rows = await rowsOf({
      revision: 2,
      cart: 'seen',
      arrival: { kind: 'short', received: btc('0.001'), due: btc('0.00023456') },
    })
    expect(screen.getByText(/^Too little: /)).toBeTruthy()
    expect([heading(), ...rows]).toEqual([
      'This order already has a payment',
      'Received: 0.001 BTC',
      'Missing: 0.00023456 BTC',
    ])
  })

  it('stands on the screen of a payment of too much', async () => {
    const arrival: Arrival = { kind: 'over', received: btc('0.002') }
    const rows = await rowsOf({ ...paid, arrival })
    expect(rows.slice(-2)).toEqual(['Asked for: 0.00123456 BTC', 'Received: 0.002 BTC'])
    expect(document.querySelector('details')?.open).toBe(true)
    expect(screen.getByText(/you may get back/)).toBeTruthy()
  })

  it('says nothing of “may” where the service says what comes back', async () => {
    const arrival: Arrival = { kind: 'over', received: btc('0.002'), returned: btc('0.00076544') }
    expect(await rowsOf({ ...paid, arrival })).toContain('Coming back: 0.00076544 BTC')
    expect(screen.queryByText(/you may get back/)).toBeNull()
  })

  it('leaves its help closed where nobody knows when it was seen', async () => {
    await rowsOf(seen)
    await pass(60_000)
    expect(document.querySelector('details')?.open).toBe(false)
  })

  it.each<[number, Partial<Checkout>]>([
    [60, networkInfo('bitcoin')],
    [15, networkInfo('near')],
  ])('has its help opened after %i minutes without a word, or what is usual', async (minutes, changes) => {
    await rowsOf({ ...seenNow(), ...changes })
    await pass((minutes - 1) * 60_000)
    expect(document.querySelector('details')?.open).toBe(false)
    await pass(60_000)
    expect(document.querySelector('details')?.textContent).toContain('Arrived late: ')
    expect(document.querySelector('details')?.open).toBe(true)
  })

  it.each<[string, () => void]>([
    ['is right', () => undefined],
    ['is an hour ahead', () => vi.setSystemTime(Number(new Date(checkoutFixture().expiresAt)) + 3_600_000)],
    ['is an hour behind', () => vi.setSystemTime(Number(new Date(checkoutFixture().createdAt)) - 3_600_000)],
    ['begins anew without its battery', () => vi.setSystemTime('2010-01-01T00:00:00Z')],
    ['is read by a library for dates', () => vi.spyOn(Date, 'parse').mockReturnValue(null as never)],
  ])(
    'says what to do, and turns no ring, once it takes longer than the network usually does, where a clock %s',
    async (_, alter) => {
      alter()
      await rowsOf({ ...seenNow(), ...networkInfo('ripple'), arrival: { kind: 'exact' } })
      const ring = () => document.querySelector('.pw-coin .pw-ring')
      await pass(4 * 60_000)
      expect(document.querySelector('.pw-note')?.textContent).toMatch(/usually takes up to 5 minutes/)
      expect(ring()).toBeTruthy()
      await pass(60_000)
      expect(document.querySelector('.pw-note')?.textContent).toMatch(
        /^This is taking longer than usual\. Please do not send again: .+ can look it up with the details below\. You can close/,
      )
      expect(ring()).toBeNull()
    },
  )

  it('names how long the network usually takes', async () => {
    await rowsOf({ ...seen, ...networkInfo('bitcoin') })
    expect(document.querySelector('.pw-note')?.textContent).toMatch(
      /^On Bitcoin this usually takes up to 60 minutes\. You can/,
    )
  })
})

it('says how long ago it was looked at, every second', async () => {
  await shop.show()
  const ago = () => /Checked (\d+) sec. ago/.exec(document.querySelector('.pw-now')?.textContent ?? '')?.[1]
  await pass(50)
  const first = ago()
  await pass(1_000)
  expect([first, ago()]).toEqual(['0', '1'])
})
