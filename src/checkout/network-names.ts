/**
 * Names of networks on the screen, as the merchant server sends them; a network that it does not
 * know keeps the service's name. These are proper names, the same in every language. The token
 * standard is part of the name where exchanges ask for it, because a deposit over another network
 * is lost.
 */
import type { NetworkInfo } from '../contract/checkout.ts'
import type { TagWord } from '../contract/networks/row.ts'

/**
 * The name of a network for the screen.
 *
 * @example
 * ```ts
 * const info = { kind: 'tron', name: 'Tron (TRC-20)', exchangeName: 'TRC20 (Tron)', tagWord: 'tag', needsTag: false } as const
 * networkName('trc-20', info) // => 'Tron (TRC-20)'
 * networkName('some-chain') // => 'some-chain'
 * ```
 */
export function networkName(network: string, info?: NetworkInfo): string {
  return info?.name ?? network
}

/** The name of a network on exchanges. */
export function exchangeNetworkName(network: string, info?: NetworkInfo): string {
  return info?.exchangeName ?? network
}

/** The word that wallets and exchanges use for the tag on a network. */
export function tagWord(info?: NetworkInfo): TagWord {
  return info?.tagWord ?? 'tag'
}
