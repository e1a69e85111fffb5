/**
 * Addresses that are valid by the rules of their network, checksum included, and belong to nobody. Where a network has a test
 * form of addresses, that form is used. Other networks have none, so a checkout must itself say that it is a test.
 */
import { addressFormOf } from './forms.ts'
import type { Random } from './random.ts'

/** Where a deposit goes. On a network with tags, all orders share one address, and the tag tells them apart. */
interface DepositAddress {
  readonly address: string
  readonly tag: string | null
}

/** Gives each order its own deposit address or tag. */
export interface AddressBook {
  /** @throws RangeError on a network for which the sandbox cannot make addresses. */
  next(network: string): DepositAddress
}

/** @param random - Draws keys and tags. */
export function createAddressBook(random: Random): AddressBook {
  const shared = new Map<string, string>()
  const usedTags = new Set<string>()

  const sharedAddress = (network: string, create: (random: Random) => string) => {
    const address = shared.get(network) ?? create(random)
    shared.set(network, address)
    return address
  }
  const freshTag = (draw: (random: Random) => string) => {
    let tag = draw(random)
    while (usedTags.has(tag)) tag = draw(random)
    usedTags.add(tag)
    return tag
  }
  return {
    next: (network) => {
      const form = addressFormOf(network)
      if (!form) throw new RangeError(`The sandbox has no addresses for the network ${network}`)
      return form.tag
        ? { address: sharedAddress(network, form.address), tag: freshTag(form.tag) }
        : { address: form.address(random), tag: null }
    },
  }
}
