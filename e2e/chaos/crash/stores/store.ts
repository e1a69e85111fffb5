/** What the crash test needs of the servers' store. */
import type { CheckoutRecord } from '../../../../src/server/core/types.ts'
import { checkoutKind } from '../../../../src/server/records/record-kinds.ts'
import { openStore, type StorePlace } from '../../../stores/open-store.ts'
import type { StartedStore } from '../../../stores/start-store.ts'

/** A store that can be copied and restored. */
export interface CrashStore extends StartedStore {
  /** Copies it. Servers may write to it meanwhile. */
  backUp(): Promise<void>
  /** Replaces it by the copy. No server may be running. */
  restore(): Promise<void>
  /** What others than its owner can read, in words. */
  readableByOthers(): readonly string[]
}

/** All checkouts of a store, by id. */
export async function checkoutsIn(place: StorePlace): Promise<ReadonlyMap<string, CheckoutRecord>> {
  const { store, close } = await openStore(place)
  const records = await store.list('all', { limit: 1_000_000 })
  await close()
  return new Map(records.map(checkoutKind.parse).map((checkout) => [checkout.id, checkout]))
}
