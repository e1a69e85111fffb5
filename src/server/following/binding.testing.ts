/** What the tests of bindings share. For tests only. */
import type { TestShop } from '../shop.testing.ts'

/** A service that shows nothing of an order but assets, amounts and the time it was created. */
export const mute = { dateTime: null, expTime: null } as const

export const boundTo = async (shop: TestShop, id: string) => (await shop.paywindow.checkouts.get(id))?.order ?? null

export function truth(shop: TestShop, address: string): string {
  const order = shop.sandbox.orders().find((candidate) => candidate.address === address)
  if (!order) throw new Error('The payer was shown an address that no order has')
  return order.id
}

export function pay(shop: TestShop, address: string, amount: string): void {
  shop.sandbox.payer.deposit({ address, amount })
  shop.sandbox.payer.confirm(truth(shop, address))
}
