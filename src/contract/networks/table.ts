/**
 * Which names mean the same network, and what is known of it. An unknown network or asset is not
 * refused here; the stricter rules do not apply to it. For servers and commands: a browser gets
 * what it needs as `networkInfo`.
 */
import type { NetworkInfo } from '../checkout.ts'
import { type EvmKind, evmNetworks, evmRow } from './evm.ts'
import { otherNetworks } from './others.ts'
import type { NetworkRow } from './row.ts'

/** A network whose addresses, tags and decimals are known to us. */
export type NetworkKind = EvmKind | keyof typeof otherNetworks

/** What is known of a network, and the one name it has here. */
interface KnownNetwork extends NetworkRow {
  readonly kind: NetworkKind
}

/** By every spelling, filled when it is first asked for. */
let table: ReadonlyMap<string, KnownNetwork> | undefined

/**
 * The network that a service's name means, or undefined when it is not known to us: `'erc-20'` is
 * `ethereum`.
 */
export function knownNetwork(network: string): KnownNetwork | undefined {
  table ??= new Map(allNetworks().flatMap((known) => spellingsOf(known).map((name) => [name, known])))
  const name = plainName(network)
  return table.get(name) ?? table.get(name.replace(/(?:mainnet|network|blockchain|token)$/, ''))
}

/** Every network that is known to us. */
export function allNetworks(): readonly KnownNetwork[] {
  const evm = kindsOf(evmNetworks).map((kind) => ({ kind, ...evmRow(evmNetworks[kind]) }))
  return [...evm, ...kindsOf(otherNetworks).map((kind) => ({ kind, ...otherNetworks[kind] }))]
}

/** Every name that a network is known by, as they are compared: lower case, without separators. */
export function spellingsOf({ kind, name, spellings }: KnownNetwork): readonly string[] {
  return [...new Set([plainName(kind), plainName(name), ...spellings.split(' ')])]
}

/**
 * One name for a network, whatever the spelling: the kind when it is known to us, else the name in
 * lower case.
 */
export function canonicalNetwork(network: string): string {
  return knownNetwork(network)?.kind ?? network.toLowerCase()
}

/** Whether two names mean the same network. Separators mean nothing, also in names not known to us. */
export function sameNetwork(left: string, right: string): boolean {
  return canonicalNetwork(left) === canonicalNetwork(right) || plainName(left) === plainName(right)
}

/** The one name of an asset on a network: the network's own coin may have several. */
export function canonicalAsset(asset: string, network: string): string {
  return nameIn([knownNetwork(network)?.coins ?? [], ...renamedInPlace], asset)
}

/** Assets with two names, beside the networks' own coins: on each network there is one of them. */
const renamedInPlace: readonly (readonly string[])[] = [
  ['RENDER', 'RNDR'],
  ['BCH', 'BCHABC'],
  ['EURC', 'EUROC'],
]

/**
 * Assets that were renamed one for one, beside the networks' own coins. Not those with another
 * value, such as MKR and SKY.
 */
const renamed = [['FTM', 'S'], ...renamedInPlace]

/** Of coins that have several names. */
let severalNames: readonly (readonly string[])[] | undefined

/** The same where the network is not known: on one of them the two names may mean the same. */
export function confusableAsset(asset: string): string {
  severalNames ??= [...renamed, ...allNetworks().flatMap(({ coins }) => (coins && coins.length > 1 ? [coins] : []))]
  return nameIn(severalNames, asset)
}

function nameIn(coins: readonly (readonly string[])[], asset: string): string {
  const symbol = asset.toUpperCase()
  return coins.find((names) => names.includes(symbol))?.[0] ?? symbol
}

/** Whether two names mean the same asset of a network. */
export function sameAsset(left: string, right: string, network: string): boolean {
  return canonicalAsset(left, network) === canonicalAsset(right, network)
}

/**
 * What a browser gets to know of a network, to be spread into a method or a checkout; nothing for
 * an unknown network.
 */
export function networkInfo(network: string): { readonly networkInfo?: NetworkInfo } {
  const known = knownNetwork(network)
  if (known === undefined) return {}
  const { kind, name, exchangeName, tagWord = 'tag', needsTag = false, usualMinutes } = known
  return {
    networkInfo: { kind, name, exchangeName, tagWord, needsTag, ...(usualMinutes !== undefined && { usualMinutes }) },
  }
}

/**
 * Digits after the point that an asset has on a network, or undefined when it is not known to us.
 */
export function assetDecimals(asset: string, network: string): number | undefined {
  const decimals: NetworkRow['decimals'] = knownNetwork(network)?.decimals ?? {}
  const symbol = asset.toUpperCase()
  return Object.hasOwn(decimals, symbol) ? decimals[symbol] : undefined
}

function plainName(network: string): string {
  return network.toLowerCase().replace(/[\s_()./-]/g, '')
}

function kindsOf<Kind extends string>(networks: Readonly<Record<Kind, unknown>>): readonly Kind[] {
  // Object.keys widens to string; these are the literal's own keys.
  return Object.keys(networks) as Kind[]
}
