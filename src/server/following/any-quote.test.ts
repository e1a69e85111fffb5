import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseOpened } from '../../contract/parsers.ts'
import { createTestShop } from '../shop.testing.ts'

/** As long as a browser waits between two polls. */
const pollMs = 5_000

/** Opens a cart, renews it so many times, and pays one of its quotes. */
async function setUp(renewals: number, paid: number, lastsMs: number) {
  const shop = createTestShop()
  let newest = await shop.open()
  const poll = async () => {
    await shop.pass(pollMs)
    return shop.poll(newest)
  }
  for (let count = 0; count < renewals; count++) {
    for (let ms = 0; ms < 60_000; ms += pollMs) await poll()
    await shop.pass(lastsMs)
    const { json } = await shop.run(shop.send('POST', `/checkouts/${newest.id}/renew`, { body: {}, key: newest.key }))
    const opened = parseOpened(json)
    if (!('key' in opened)) throw new Error('There is a choice to make')
    newest = opened
  }
  for (let ms = 0; ms < 90_000; ms += pollMs) await poll()
  const { address, sourceAmount } = shop.sandbox.orders()[paid] ?? {}
  shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount ?? '' })
  return poll()
}

it('a deposit on one of the last six quotes of a cart is shown with the next poll of the newest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(5).chain((renewals) => fc.tuple(fc.constant(renewals), fc.nat(renewals))),
      fc.integer({ min: 1_140_000, max: 1_300_000 }),
      async ([renewals, paid], lastsMs) => {
        expect(await setUp(renewals, paid, lastsMs)).toMatchObject({ cart: 'seen' })
      },
    ),
    { numRuns: 12 },
  )
})
