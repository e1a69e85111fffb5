/** Checks whether a network accepts an address: a damaged one sends a deposit to nobody. */
import { isPlainAddress } from '../../contract/checkout.ts'
import type { EvmKind } from '../../contract/networks/evm.ts'
import { knownNetwork, type NetworkKind } from '../../contract/networks/table.ts'
import { cosmos, eos, evm, hedera, hex32, near, starknet, ton } from './accounts.ts'
import { algorand, cashAddr, filecoin, internetComputer, kaspa, stellar } from './base32.ts'
import { monero, solana, ss58, tezos, tron, utxo, xrp } from './base58.ts'
import type { Format, ReadAddress } from './bytes.ts'
import { cardano } from './cardano.ts'
import { zcash } from './zcash.ts'

/** All networks except those with Ethereum's addresses. */
// biome-ignore format: names need no line each
const formats: Readonly<Record<Exclude<NetworkKind, EvmKind>, Format>> = {
  bitcoin: utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4], segwit: { main: 'bc', test: ['tb', 'bcrt'] } }),
  litecoin: utxo({
    main: [0x30, 0x32, 0x05],
    test: [0x6f, 0x3a, 0xc4],
    segwit: { main: 'ltc', test: ['tltc', 'rltc'] },
    mweb: { main: 'ltcmweb', test: ['tmweb'] },
    replaced: { 5: 50, 196: 58 },
  }),
  dogecoin: utxo({ main: [0x1e, 0x16], test: [0x71, 0xc4] }),
  dash: utxo({ main: [0x4c, 0x10], test: [0x8c, 0x13] }),
  'bitcoin-sv': utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4] }),
  'bitcoin-cash': cashAddr({ main: 'bitcoincash', test: ['bchtest', 'bchreg'] }),
  ecash: cashAddr({ main: 'ecash', test: ['ectest', 'ecregtest'] }),
  polkadot: ss58(0), 'polkadot-asset-hub': ss58(0), kusama: ss58(2),
  algorand, aptos: hex32, cardano, cosmos, eos, filecoin, hedera,
  'internet-computer': internetComputer, kaspa, monero, near, solana, starknet, stellar, sui: hex32,
  tezos, ton, tron, 'xrp-ledger': xrp, zcash,
}

/**
 * Reads an address: whether the network accepts it, its chain, and the tag inside an X-address
 * (XRP) or a muxed account (Stellar). For unknown networks it checks only the characters.
 *
 * @param network - The service's name.
 */
export function readAddress(address: string, network: string): Partial<ReadAddress> & Pick<ReadAddress, 'form'> {
  if (!isPlainAddress(address)) return { form: 'invalid' }
  const kind = knownNetwork(network)?.kind
  if (kind === undefined) return { form: 'any' }
  try {
    const read = isOwnFormat(kind) ? formats[kind](address) : evm(address)
    return typeof read === 'string' ? { form: read } : read
  } catch {
    // The decoders throw on a wrong character, length or checksum.
    return { form: 'invalid' }
  }
}

function isOwnFormat(kind: NetworkKind): kind is keyof typeof formats {
  return Object.hasOwn(formats, kind)
}
