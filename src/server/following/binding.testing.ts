/** Shared by the tests of bindings. For tests only. */
import type { TestShop } from '../shop.testing.ts'

/** A service whose orders show only assets, amounts and the time of creation. */
export const mute = { dateTime: null, expTime: null } as const

/** The order that a checkout is bound to, as the merchant sees it; null if there is none. */
export const boundTo = async (shop: TestShop, id: string) => (await shop.paywindow.checkouts.get(id))?.order ?? null

/**
 * The id of the order with this deposit address, which only the sandbox knows. @throws Error if
 * none has it.
 */
export function orderIdAt(shop: TestShop, address: string): string {
  const order = shop.sandbox.orders().find((candidate) => candidate.address === address)
  if (!order) throw new Error('The payer was shown an address that no order has')
  return order.id
}

/** Pays an address, and has the operator confirm it. */
export function pay(shop: TestShop, address: string, amount: string): void {
  shop.sandbox.payer.deposit({ address, amount })
  shop.sandbox.payer.confirm(orderIdAt(shop, address))
}
