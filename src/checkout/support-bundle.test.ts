import { describe, expect, it } from 'vitest'
import { checkoutFixture } from './fixture.ts'
import { supportBundle } from './support-bundle.ts'

describe('supportBundle', () => {
  it('names everything that identifies the payment', () => {
    const text = supportBundle(checkoutFixture({ tag: '0', test: true }), 'expired', '2026-11-21T09:43:00.000Z')
    expect(text).toBe(
      [
        'Merchant: Lantern Books',
        'Reference: Order 42',
        'Payment: c7QxN2mVt9fLe',
        'Price: 49.9 USD',
        'Amount to send: 0.00123456 BTC',
        'Network: bitcoin',
        'Address: bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        'Tag: 0',
        'Created: 2026-11-21T09:22:00.000Z',
        'Price locked until: 2026-11-21T09:42:00.000Z',
        'Status: open (shown as expired, cart open)',
        '-: 2026-11-21T09:22:00.000Z open',
        'Last checked: 2026-11-21T09:43:00.000Z',
        'Test: yes, no real money',
      ].join('\n'),
    )
  })

  it.each([
    [{ orderNumber: '2026/0042' }, '2026/0042'],
    [{ orderNumber: undefined, description: undefined }, 'c7QxN2mVt9fLe'],
  ])('of %j is named for people', (given, name) => {
    const text = supportBundle({ ...checkoutFixture(), ...given } as never, 'waiting', '2026-11-21T09:43:00.000Z')
    expect(text).toContain(`Reference: ${name}\nPayment: c7QxN2mVt9fLe`)
  })

  it('leaves out a tag that there is not, and anything that is not in its list', () => {
    const keyed = { ...checkoutFixture(), key: 'top-secret-key' }
    const text = supportBundle(keyed, 'waiting', '2026-11-21T09:43:00.000Z')
    expect(text).not.toContain('Tag:')
    expect(text).not.toContain('top-secret-key')
  })
})
