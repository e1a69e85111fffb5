/**
 * Deposit addresses that belong to nobody. They are valid by the rules of their network, checksum
 * included, and have the form of the test network if that has a form of its own.
 */
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256, sha512_256 } from '@noble/hashes/sha2.js'
import { base32nopad, base58, base58check, base64urlnopad, bech32, hex } from '@scure/base'
import { type EvmKind, evmNetworks } from '../contract/networks/evm.ts'
import { knownNetwork, type NetworkKind } from '../contract/networks/table.ts'
import { crc16, ethereumAddress, segwitAddress, stellarAddress, tronAddress, xrpAddress } from './encodings.ts'
import { type Random, randomBytes, randomText } from './random.ts'

/** Where a deposit goes. On a network with tags, orders share an address and differ by tag. */
interface DepositAddress {
  readonly address: string
  readonly tag: string | null
}

/** Gives each order its own deposit address or tag. */
export interface AddressBook {
  /** @throws RangeError on a network for which the sandbox cannot make addresses. */
  next(network: string): DepositAddress
}

/** How a network's addresses are drawn, and its tags if it has tags. */
interface AddressForm {
  readonly address: Draw
  readonly tag?: Draw
}

type Draw = (random: Random) => string

/** @param random - Draws keys and tags. */
export function createAddressBook(random: Random): AddressBook {
  const shared = new Map<string, string>()
  const usedTags = new Set<string>()

  const sharedAddress = (network: string, draw: Draw) => {
    const address = shared.get(network) ?? draw(random)
    shared.set(network, address)
    return address
  }
  const freshTag = (draw: Draw) => {
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

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const memo: Draw = (random) => randomText(random, letters, 10)
const hexKey: Draw = (random) => `0x${hex.encode(randomBytes(random, 32))}`

const forms: Readonly<Partial<Record<Exclude<NetworkKind, EvmKind>, AddressForm>>> = {
  bitcoin: { address: (random) => segwitAddress('tb', randomBytes(random, 20)) },
  litecoin: { address: (random) => segwitAddress('tltc', randomBytes(random, 20)) },
  dogecoin: versioned(0x71),
  dash: versioned(0x8c),
  // The older form, which these networks still accept.
  'bitcoin-cash': versioned(0x6f),
  'bitcoin-sv': versioned(0x6f),
  ecash: versioned(0x6f),
  zcash: versioned(0x1d, 0x25),
  tezos: versioned(6, 161, 159),
  tron: { address: (random) => tronAddress(randomBytes(random, 20)) },
  solana: { address: (random) => base58.encode(randomBytes(random, 32)) },
  'xrp-ledger': {
    address: (random) => xrpAddress(randomBytes(random, 20)),
    tag: (random) => String(Math.floor(random() * 2 ** 32)),
  },
  stellar: { address: (random) => stellarAddress(randomBytes(random, 32)), tag: memo },
  ton: { address: (random) => tonAddress(randomBytes(random, 32)), tag: memo },
  cosmos: { address: (random) => bech32.encode('cosmos', bech32.toWords(randomBytes(random, 20))), tag: memo },
  eos: { address: (random) => randomText(random, 'abcdefghijklmnopqrstuvwxyz12345', 12), tag: memo },
  hedera: { address: (random) => `0.0.${1_000 + Math.floor(random() * 9_000_000)}`, tag: memo },
  cardano: {
    // Type 6 on the test network: one key, no stake. CIP-19.
    address: (random) => bech32.encode('addr_test', bech32.toWords(Uint8Array.of(0x60, ...randomBytes(random, 28)))),
  },
  polkadot: { address: (random) => genericSs58(randomBytes(random, 32)) },
  'polkadot-asset-hub': { address: (random) => genericSs58(randomBytes(random, 32)) },
  kusama: { address: (random) => genericSs58(randomBytes(random, 32)) },
  algorand: { address: (random) => algorandAddress(randomBytes(random, 32)) },
  near: { address: (random) => `${randomText(random, 'abcdefghijklmnopqrstuvwxyz', 12)}.testnet` },
  aptos: { address: hexKey },
  sui: { address: hexKey },
  // A field element: less than 2^251.
  starknet: { address: (random) => `0x00${hex.encode(randomBytes(random, 31))}` },
}

/** Takes any spelling of a network's name. Undefined if the sandbox has no addresses for it. */
function addressFormOf(network: string): AddressForm | undefined {
  const kind = knownNetwork(network)?.kind
  if (kind === undefined) return undefined
  return isEvm(kind) ? { address: (random) => ethereumAddress(randomBytes(random, 20)) } : forms[kind]
}

function isEvm(kind: NetworkKind): kind is EvmKind {
  return Object.hasOwn(evmNetworks, kind)
}

/** Base58Check with the chain's version bytes as prefix. */
function versioned(...version: readonly number[]): AddressForm {
  return { address: (random) => base58check(sha256).encode(Uint8Array.of(...version, ...randomBytes(random, 20))) }
}

/** An SS58 address with the generic prefix 42, which test chains use. */
function genericSs58(key: Uint8Array): string {
  const checked = Uint8Array.of(...new TextEncoder().encode('SS58PRE'), 42, ...key)
  return base58.encode(Uint8Array.of(42, ...key, ...blake2b(checked).slice(0, 2)))
}

function algorandAddress(key: Uint8Array): string {
  return base32nopad.encode(Uint8Array.of(...key, ...sha512_256(key).slice(-4)))
}

/** A non-bounceable address of the test chain, in workchain 0. */
function tonAddress(account: Uint8Array): string {
  const payload = Uint8Array.of(0xd1, 0, ...account)
  const checksum = crc16(payload)
  return base64urlnopad.encode(Uint8Array.of(...payload, checksum >> 8, checksum & 0xff))
}
