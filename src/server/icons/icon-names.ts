/**
 * Names for icons: a browser asks this server for them, by a name that only the merchant's server can resolve, so that no browser
 * chooses what is fetched. Nothing is stored for it: an icon of an offer is named by its own hash, which a server knows once it has
 * answered with it. See docs/decisions/strangers.md.
 */

import { LRUCache } from 'lru-cache'
import { growingTo } from '../../service/growing-to.ts'
import { type Method, methodId } from '../offers.ts'
import { hashOf } from '../records/ids.ts'
import type { Repository } from '../records/repository.ts'
import type { IconPlace } from './icons.ts'

const maxKnown = 1_000
/** 96 bits of a hash. Up to 0.1 the reference of the cart stood behind it. */
const offerIcon = /^([0-9a-f]{24})-/

/** Names under which browsers ask for icons, in place of their addresses. */
export interface IconNames {
  /** The name of an offered method's icon, undefined when it has none. */
  nameOf(method: Method): string | undefined
  /** Where the icon of a name is, undefined when nothing that is known here has this name. */
  find(name: string): Promise<IconPlace | undefined>
}

/** Keeps no record. */
export function createIconNames(repository: Repository): IconNames {
  const known = new LRUCache<string, IconPlace>(growingTo(maxKnown))

  return {
    nameOf: (method) => {
      if (method.icon === undefined) return undefined
      const hash = hashOf(`${methodId(method)} ${method.icon}`).slice(0, 24)
      known.set(hash, { method, url: method.icon })
      return `${hash}-`
    },
    find: async (name) => {
      const [, hash] = offerIcon.exec(name) ?? []
      if (hash !== undefined) return known.get(hash)
      const checkout = await repository.readCheckout(name)
      const url = checkout?.method.icon ?? checkout?.instructions?.iconUrl
      return checkout && url ? { method: checkout.method, url } : undefined
    },
  }
}
