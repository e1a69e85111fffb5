/** Reads checkouts for the merchant's own pages. */
import { checkNames } from '../../contract/option-names.ts'
import type { Context } from '../context.ts'
import { type MerchantCheckout, toMerchantCheckout } from './merchant-view.ts'

const defaultLimit = 100
const maxLimit = 1_000

/**
 * The merchant's own view of the checkouts: for order pages, support and reports.
 *
 * @example
 * ```ts
 * const needPeople = (checkouts: MerchantCheckouts) => checkouts.list({ only: 'unresolved', limit: 50 })
 * ```
 */
export interface MerchantCheckouts {
  get(id: string): Promise<MerchantCheckout | undefined>
  /**
   * Newest first, at most `limit` (default 100, at most 1,000); `before` is the id of the last one of the page before.
   * `unresolved`: those whose order cannot be identified; `untold`: those with changes that `onStatusChange` has not accepted.
   */
  list(query?: {
    reference?: string
    only?: 'unresolved' | 'untold'
    before?: string
    limit?: number
  }): Promise<MerchantCheckout[]>
}

/** Records that cannot be read are left out of lists. */
export function createMerchantCheckouts({
  repository,
  settings,
}: Pick<Context, 'repository' | 'settings'>): MerchantCheckouts {
  return {
    get: async (id) => {
      const checkout = await repository.readCheckout(id)
      return checkout && toMerchantCheckout(checkout, settings)
    },
    list: async (query = {}) => {
      checkNames('checkouts.list', query, { reference: 0, only: 0, before: 0, limit: 0 })
      const { reference, only, before, limit = defaultLimit } = query
      const label = reference === undefined ? (only ?? 'all') : (`cart ${reference}` as const)
      const range = { limit: Math.min(limit, maxLimit), ...(before !== undefined && { before }) }
      const listed = await repository.listCheckouts(label, range)
      return listed.map((checkout) => toMerchantCheckout(checkout, settings))
    },
  }
}
