/**
 * Networks with addresses of their own. Decimals of coins: the networks' own documents. Of USDC and EURC: Circle's pages of contract
 * addresses; of USDT: tether.to, supported protocols. A token of the XRP Ledger has no fixed number of them.
 */
import type { NetworkRow } from './row.ts'

const dollars = { USDC: 6, USDT: 6 }

/** All other networks. */
export const otherNetworks = {
  bitcoin: {
    name: 'Bitcoin',
    exchangeName: 'BTC (Bitcoin)',
    spellings: 'btc xbt bitcoinmainnet btcsegwit segwitbtc',
    decimals: { BTC: 8, XBT: 8 },
    coins: ['BTC', 'XBT'],
  },
  litecoin: {
    name: 'Litecoin',
    exchangeName: 'LTC (Litecoin)',
    spellings: 'ltc litecoinmainnet',
    decimals: { LTC: 8 },
  },
  dogecoin: {
    name: 'Dogecoin',
    exchangeName: 'DOGE (Dogecoin)',
    spellings: 'doge xdg',
    decimals: { DOGE: 8, XDG: 8 },
    coins: ['DOGE', 'XDG'],
  },
  'bitcoin-cash': {
    name: 'Bitcoin Cash',
    exchangeName: 'BCH (Bitcoin Cash)',
    spellings: 'bch bchn bitcoincashbch',
    decimals: { BCH: 8 },
  },
  'bitcoin-sv': {
    name: 'Bitcoin SV',
    exchangeName: 'BSV (Bitcoin SV)',
    spellings: 'bsv bchsv bitcoinsatoshivision',
    decimals: { BSV: 8, BCHSV: 8 },
    coins: ['BSV', 'BCHSV'],
  },
  ecash: {
    name: 'eCash',
    exchangeName: 'XEC (eCash)',
    spellings: 'xec bcha',
    decimals: { XEC: 2 },
  },
  dash: {
    name: 'Dash',
    exchangeName: 'DASH (Dash)',
    spellings: 'dashcoin',
    decimals: { DASH: 8 },
  },
  zcash: {
    name: 'Zcash',
    exchangeName: 'ZEC (Zcash)',
    spellings: 'zec',
    decimals: { ZEC: 8 },
  },
  tron: {
    name: 'Tron (TRC-20)',
    exchangeName: 'TRC20 (Tron)',
    spellings: 'trx trc20 tronmainnet trontrc20 trc20tron trxtrc20',
    decimals: { TRX: 6, ...dollars },
  },
  solana: {
    name: 'Solana',
    exchangeName: 'SOL (Solana)',
    spellings: 'sol spl solanamainnet solspl solanaspl',
    decimals: { SOL: 9, ...dollars, EURC: 6 },
  },
  'xrp-ledger': {
    name: 'XRP Ledger',
    exchangeName: 'XRP (XRP Ledger)',
    spellings: 'ripple xrp xrpl',
    decimals: { XRP: 6 },
    tagWord: 'destinationTag',
    needsTag: true,
  },
  stellar: {
    name: 'Stellar',
    exchangeName: 'XLM (Stellar)',
    spellings: 'xlm stellarlumens stellarnetwork',
    // stellar.org: every asset has seven.
    decimals: { XLM: 7, USDC: 7, EURC: 7 },
    tagWord: 'memo',
    needsTag: true,
  },
  ton: {
    name: 'TON',
    exchangeName: 'TON (The Open Network)',
    spellings: 'toncoin theopennetwork tonmainnet ton2',
    decimals: { TON: 9, TONCOIN: 9, USDT: 6 },
    coins: ['TON', 'TONCOIN'],
    tagWord: 'comment',
    needsTag: true,
  },
  eos: {
    name: 'EOS',
    exchangeName: 'EOS',
    spellings: 'eosio vaulta',
    decimals: { EOS: 4, A: 4, USDT: 4 },
    coins: ['EOS', 'A'],
    tagWord: 'memo',
    needsTag: true,
  },
  cosmos: {
    name: 'Cosmos Hub',
    exchangeName: 'ATOM (Cosmos)',
    spellings: 'cosmoshub atom cosmoshub4',
    decimals: { ATOM: 6 },
    tagWord: 'memo',
    needsTag: true,
  },
  cardano: {
    name: 'Cardano',
    exchangeName: 'ADA (Cardano)',
    spellings: 'ada',
    decimals: { ADA: 6 },
  },
  monero: {
    name: 'Monero',
    exchangeName: 'XMR (Monero)',
    spellings: 'xmr',
    decimals: { XMR: 12 },
  },
  polkadot: {
    name: 'Polkadot',
    exchangeName: 'DOT (Polkadot)',
    spellings: 'dot dotsm polkadotrelay polkadotrelaychain',
    decimals: { DOT: 10 },
  },
  'polkadot-asset-hub': {
    name: 'Polkadot Asset Hub',
    exchangeName: 'Polkadot Asset Hub (Statemint)',
    spellings: 'statemint assethub assethubpolkadot polkadotah dotassethub dotah assethubdot',
    decimals: { DOT: 10, ...dollars },
  },
  kusama: {
    name: 'Kusama',
    exchangeName: 'KSM (Kusama)',
    spellings: 'ksm',
    decimals: { KSM: 12 },
  },
  near: {
    name: 'NEAR',
    exchangeName: 'NEAR Protocol',
    spellings: 'nearprotocol nearmainnet nep141',
    decimals: { NEAR: 24, ...dollars },
  },
  algorand: {
    name: 'Algorand',
    exchangeName: 'ALGO (Algorand)',
    spellings: 'algo',
    decimals: { ALGO: 6, ...dollars },
    tagWord: 'memo',
  },
  hedera: {
    name: 'Hedera',
    exchangeName: 'HBAR (Hedera)',
    spellings: 'hbar hederahashgraph hts',
    decimals: { HBAR: 8, USDC: 6 },
    tagWord: 'memo',
    needsTag: true,
  },
  tezos: {
    name: 'Tezos',
    exchangeName: 'XTZ (Tezos)',
    spellings: 'xtz',
    decimals: { XTZ: 6, USDT: 6 },
  },
  aptos: {
    name: 'Aptos',
    exchangeName: 'APT (Aptos)',
    spellings: 'apt',
    decimals: { APT: 8, ...dollars },
  },
  sui: {
    name: 'Sui',
    exchangeName: 'SUI',
    spellings: 'suimainnet',
    decimals: { SUI: 9, USDC: 6 },
  },
  filecoin: {
    name: 'Filecoin',
    exchangeName: 'FIL (Filecoin)',
    spellings: 'fil',
    decimals: { FIL: 18 },
  },
  'internet-computer': {
    name: 'Internet Computer',
    exchangeName: 'ICP (Internet Computer)',
    spellings: 'icp dfinity internetcomputerprotocol',
    decimals: { ICP: 8 },
    tagWord: 'memo',
  },
  kaspa: {
    name: 'Kaspa',
    exchangeName: 'KAS (Kaspa)',
    spellings: 'kas',
    decimals: { KAS: 8 },
  },
  starknet: {
    name: 'Starknet',
    exchangeName: 'STRK (Starknet)',
    spellings: 'strk stark starknetmainnet ethstarknet stk',
    decimals: { STRK: 18, ETH: 18, ...dollars },
  },
} as const satisfies Readonly<Record<string, NetworkRow>>
