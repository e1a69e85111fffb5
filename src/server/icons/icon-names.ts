/**
 * Names for icons: a browser asks this server for them, by a name that only the merchant's server can resolve, so that no browser
 * chooses what is fetched. Nothing is stored for it: an icon of an offer is named by its own hash and by the reference, so that
 * a server that never saw that offer asks for it again. See docs/decisions/strangers.md.
 */

import { base64urlnopad } from '@scure/base'
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import { readReference } from '../http/read-request.ts'
import { askOffer, type Method, methodId } from '../offers.ts'
import type { Settings } from '../options.ts'
import { hashOf } from '../records/ids.ts'
import type { Repository } from '../records/repository.ts'
import type { IconPlace } from './icons.ts'

const maxKnown = 1_000
/** A name has to fit into what widgets take: 94 characters after `icons/`. */
const maxName = 94
/** 96 bits of a hash, then the reference where there is room for it. */
const offerIcon = /^([0-9a-f]{24})-([\w-]*)$/

/** Names under which browsers ask for icons, in place of their addresses. */
export interface IconNames {
  /** The name of an offered method's icon, undefined when it has none. */
  nameOf(method: Method, reference: string): string | undefined
  /** Where the icon of a name is, undefined when nothing has this name. Asks the merchant's `offer` when it is not known here. */
  find(name: string, request: Request): Promise<IconPlace | undefined>
}

/** Keeps no record: a name that is not known here is found by asking the merchant's `offer` again. */
export function createIconNames(settings: Pick<Settings, 'offer'>, repository: Repository): IconNames {
  const known = new LRUCache<string, IconPlace>(growingTo(maxKnown))

  function learn(method: Method): string | undefined {
    if (method.icon === undefined) return undefined
    const hash = hashOf(`${methodId(method)} ${method.icon}`).slice(0, 24)
    known.set(hash, { method, url: method.icon })
    return hash
  }

  async function ofOffer(hash: string, written: string, request: Request): Promise<IconPlace | undefined> {
    const reference = known.has(hash) ? undefined : referenceIn(written)
    if (reference !== undefined)
      for (const method of (await askOffer(settings.offer, reference, request)).methods) learn(method)
    return known.get(hash)
  }

  return {
    nameOf: (method, reference) => {
      const hash = learn(method)
      if (hash === undefined) return undefined
      const name = `${hash}-${base64urlnopad.encode(new TextEncoder().encode(reference))}`
      return name.length > maxName ? `${hash}-` : name
    },
    find: async (name, request) => {
      const [, hash, reference = ''] = offerIcon.exec(name) ?? []
      if (hash !== undefined) return ofOffer(hash, reference, request)
      const checkout = await repository.readCheckout(name)
      const url = checkout?.method.icon ?? checkout?.instructions?.iconUrl
      return checkout && url ? { method: checkout.method, url } : undefined
    },
  }
}

/** Undefined if the reference was too long to include. @throws PaywindowError `not_found` for what is no reference. */
function referenceIn(written: string): string | undefined {
  if (written === '') return undefined
  try {
    return readReference(new TextDecoder('utf-8', { fatal: true }).decode(base64urlnopad.decode(written)))
  } catch (cause) {
    throw new PaywindowError('not_found', 'There is no such icon', { cause })
  }
}
