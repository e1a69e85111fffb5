/**
 * Checks whether a network accepts an address, by the network's own checksum. One wrong character in a damaged address sends a deposit to
 * nobody.
 */
import { isPlainAddress } from '../../../contract/checkout.ts'
import type { EvmKind } from '../../../contract/networks/evm.ts'
import { knownNetwork, type NetworkKind } from '../../../contract/networks/table.ts'
import { cosmos, eos, hedera, near } from './accounts.ts'
import { algorand, cashAddr, filecoin, internetComputer, kaspa, stellar, stellarTag } from './base32.ts'
import { monero, solana, ss58, tezos, tron } from './base58.ts'
import { utxo } from './bitcoin.ts'
import type { AddressForm, Check } from './bytes.ts'
import { cardano } from './cardano.ts'
import { aptos, evm, starknet, sui } from './hex.ts'
import { ton } from './ton.ts'
import { xrp, xrpTag } from './xrp.ts'
import { zcash } from './zcash.ts'

/** All networks except those with Ethereum's addresses. */
const checks: Readonly<Record<Exclude<NetworkKind, EvmKind>, Check>> = {
  bitcoin: utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4], segwit: { main: 'bc', test: ['tb', 'bcrt'] } }),
  litecoin: utxo({
    main: [0x30, 0x32, 0x05],
    test: [0x6f, 0x3a, 0xc4],
    segwit: { main: 'ltc', test: ['tltc', 'rltc'] },
    mweb: { main: 'ltcmweb', test: ['tmweb'] },
  }),
  dogecoin: utxo({ main: [0x1e, 0x16], test: [0x71, 0xc4] }),
  dash: utxo({ main: [0x4c, 0x10], test: [0x8c, 0x13] }),
  'bitcoin-sv': utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4] }),
  'bitcoin-cash': cashAddr({ main: 'bitcoincash', test: ['bchtest', 'bchreg'] }),
  ecash: cashAddr({ main: 'ecash', test: ['ectest', 'ecregtest'] }),
  kaspa,
  zcash,
  tron,
  solana,
  tezos,
  polkadot: ss58(0),
  'polkadot-asset-hub': ss58(0),
  kusama: ss58(2),
  monero,
  'xrp-ledger': xrp,
  stellar,
  algorand,
  filecoin,
  'internet-computer': internetComputer,
  ton,
  cardano,
  cosmos,
  eos,
  near,
  hedera,
  aptos,
  sui,
  starknet,
}

/**
 * Checks an address. For unknown networks only the characters are checked.
 *
 * @param network - The service's name of the network.
 */
export function addressForm(address: string, network: string): AddressForm {
  if (!isPlainAddress(address)) return 'invalid'
  const kind = knownNetwork(network)?.kind
  if (kind === undefined) return 'any'
  try {
    return isOwnForm(kind) ? checks[kind](address) : evm(address)
  } catch {
    // The decoders throw on a wrong character, length or checksum: each means that the address is invalid.
    return 'invalid'
  }
}

/** The tag that a valid address contains, or null: X-addresses of the XRP Ledger, and muxed accounts of Stellar. */
export function carriedTag(address: string, network: string): string | null {
  const kind = knownNetwork(network)?.kind
  return kind === 'xrp-ledger' ? xrpTag(address) : kind === 'stellar' ? stellarTag(address) : null
}

function isOwnForm(kind: NetworkKind): kind is keyof typeof checks {
  return Object.hasOwn(checks, kind)
}
