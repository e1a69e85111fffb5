import { expect, it } from 'vitest'
import { createTestShop, order, type TestShop } from '../shop.testing.ts'

const minuteMs = 60_000

/** Deposits after so long, by the clock of both or by that of the service alone. */
async function paidAfter(
  ms: number,
  {
    isMoved = false,
    ...options
  }: { readonly isMoved?: boolean; readonly readArrival?: () => { readonly kind: 'late' } } = {},
) {
  const shop = createTestShop(options)
  const checkout = await shop.open()
  // Its order is known by then.
  await shop.pass(minuteMs)
  await shop.poll(checkout)
  if (isMoved) shop.sandbox.clock.advance(ms)
  else await shop.pass(ms)
  const { id, address, sourceAmount } = order(shop)
  shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
  await look(shop, checkout)
  const seen = await shop.paywindow.checkouts.get(checkout.id)
  if (shop.sandbox.orders()[0]?.workflow === 'late') shop.sandbox.payer.acceptLate(id)
  else shop.sandbox.payer.confirm(id)
  await look(shop, checkout)
  const paid = await shop.paywindow.checkouts.get(checkout.id)
  expect([seen?.phase, paid?.phase]).toEqual(['seen', 'paid'])
  expect(paid?.isLate).toBe(seen?.isLate)
  return seen?.isLate
}

async function look(shop: TestShop, checkout: Parameters<TestShop['poll']>[0]): Promise<void> {
  await shop.pass(5_000)
  await shop.poll(checkout)
}

it.each<[string, number, Parameters<typeof paidAfter>[1], boolean]>([
  ['before its quote has ended', 10 * minuteMs, {}, false],
  ['after its quote has ended', 30 * minuteMs, {}, true],
  ['before it has ended, as the service moved its clock', 10 * minuteMs, { isMoved: true }, false],
  ['after it has ended, as the service moved its clock', 30 * minuteMs, { isMoved: true }, true],
  [
    'before it has ended, although the service calls it late',
    minuteMs,
    { readArrival: () => ({ kind: 'late' }) },
    true,
  ],
])('a deposit %s', async (_, afterMs, options, isLate) => expect(await paidAfter(afterMs, options)).toBe(isLate))
