/**
 * Networks like Ethereum, by one rule: one line each; all have its addresses, and 18 decimals of
 * their coin. Ids: chainlist.org. Names: as exchanges and payment services write them, ccxt's
 * `networks` among others. Decimals of USDC and EURC: Circle's pages of contract addresses; of
 * USDT: tether.to, supported protocols, and docs.usdt0.to. Both have 6 where their issuer made
 * them, and most bridges keep that; those of BNB Smart Chain and opBNB have 18.
 */
import type { NetworkRow } from './row.ts'

/**
 * The id of EIP-155; names and spellings as in `NetworkRow`; the names of the coin, a space between
 * two, the present one first; digits after the point of what is issued there.
 */
type EvmRow = readonly [
  chainId: number,
  name: string,
  exchangeName: string,
  coins: string,
  spellings: string,
  tokens: NetworkRow['decimals'],
]

const none = {}
const dollars = { USDC: 6, USDT: 6 }
const pegged = { USDC: 18, USDT: 18 }

/**
 * Networks that run the Ethereum virtual machine: one form of address, one form of payment code, by
 * chain id.
 */
// biome-ignore format: a line each
export const evmNetworks = {
  ethereum: [1, 'Ethereum (ERC-20)', 'ERC20 (Ethereum)', 'ETH', 'eth erc20 etherc20 ethereumerc20 ethereummainnet ethmainnet', { ...dollars, EURC: 6, DAI: 18, WBTC: 8 }],
  'bnb-smart-chain': [56, 'BNB Smart Chain (BEP-20)', 'BEP20 (BSC)', 'BNB', 'bsc bep20 bscbep20 bep20bsc bnbbsc bnbbep20 bnbchain binancesmartchain bscmainnet', pegged],
  polygon: [137, 'Polygon', 'Polygon (POL)', 'POL MATIC', 'matic pol polygonpos maticpolygon polygonmatic polygonpol polygonevm polygonmainnet maticnetwork', dollars],
  base: [8453, 'Base', 'BASE', 'ETH', 'baseevm baseeth ethbase basemainnet basechain basenetwork', { USDC: 6, EURC: 6 }],
  'arbitrum-one': [42161, 'Arbitrum One', 'ARBITRUM (Arbitrum One)', 'ETH', 'arbitrum arb arbone arbevm arbi arbitrumevm etharb arbitrumonearb', dollars],
  'arbitrum-nova': [42170, 'Arbitrum Nova', 'Arbitrum Nova', 'ETH', 'arbnova', none],
  optimism: [10, 'Optimism', 'OP (Optimism)', 'ETH', 'op opt opeth opevm opmainnet optimismeth ethoptimism optimismevm', dollars],
  'avalanche-c': [43114, 'Avalanche C-Chain', 'AVAXC (Avalanche C-Chain)', 'AVAX', 'avalanche avax avaxc avaxcchain cchain cavax avaxevm avalanchecchain avacchain', { ...dollars, EURC: 6 }],
  celo: [42220, 'Celo', 'CELO', 'CELO CGLD', 'celogold cgld celomainnet', dollars],
  linea: [59144, 'Linea', 'LINEA', 'ETH', 'lineaeth ethlinea lineamainnet lineaevm', dollars],
  'zksync-era': [324, 'zkSync Era', 'ZKSYNCERA (zkSync Era)', 'ETH', 'zksync zksync2 zkera zksyncmainnet zksyncevm zksera', dollars],
  mantle: [5000, 'Mantle', 'MNT (Mantle)', 'MNT', 'mnt mantlenetwork mantlemainnet', dollars],
  scroll: [534352, 'Scroll', 'SCROLL', 'ETH', 'scrolleth ethscroll scr scrollevm', dollars],
  blast: [81457, 'Blast', 'BLAST', 'ETH', 'blasteth ethblast blastl2 blastevm', { USDB: 18 }],
  gnosis: [100, 'Gnosis', 'GNOSIS (xDai)', 'XDAI', 'gnosischain xdai gno gnoevm', dollars],
  fantom: [250, 'Fantom', 'FTM (Fantom Opera)', 'FTM', 'ftm opera fantomopera', { USDC: 6 }],
  sonic: [146, 'Sonic', 'SONIC', 'S', 'sonicevm sonicmainnet soniclabs', dollars],
  cronos: [25, 'Cronos', 'CRONOS', 'CRO', 'crc20 croevm cronosevm croncronos cronosmainnet', dollars],
  opbnb: [204, 'opBNB', 'OPBNB', 'BNB', 'opbnbmainnet opbnbevm', pegged],
  'polygon-zkevm': [1101, 'Polygon zkEVM', 'Polygon zkEVM', 'ETH', 'polzkevm', dollars],
  moonbeam: [1284, 'Moonbeam', 'GLMR (Moonbeam)', 'GLMR', 'glmr glmrevm', none],
  moonriver: [1285, 'Moonriver', 'MOVR (Moonriver)', 'MOVR', 'movr movrevm', none],
  kaia: [8217, 'Kaia', 'KAIA', 'KAIA KLAY', 'klaytn klay kaiamainnet kaiachain klayevm', { USDT: 6 }],
  unichain: [130, 'Unichain', 'UNICHAIN', 'ETH', 'ethunichain unichaineth', dollars],
  'world-chain': [480, 'World Chain', 'WORLDCHAIN (World Chain)', 'ETH', 'wldchain worldchainmainnet', { USDC: 6, EURC: 6 }],
  ink: [57073, 'Ink', 'INK', 'ETH', 'inkchain ethink inkmainnet', dollars],
  monad: [143, 'Monad', 'MONAD', 'MON', 'monadmainnet mon', { USDC: 6 }],
  plasma: [9745, 'Plasma', 'XPL (Plasma)', 'XPL', 'xpl plasmamainnet', { USDT: 6 }],
  hyperevm: [999, 'HyperEVM', 'HYPEREVM', 'HYPE', 'hypeevm hyperliquidevm', { USDC: 6 }],
  berachain: [80094, 'Berachain', 'BERA (Berachain)', 'BERA', 'bera beraevm', none],
  taiko: [167000, 'Taiko', 'TAIKO', 'ETH', 'taikoalethia taikomainnet', none],
  'manta-pacific': [169, 'Manta Pacific', 'Manta Pacific', 'ETH', 'manta mantaeth mantapacificmainnet', none],
  metis: [1088, 'Metis', 'METIS (Andromeda)', 'METIS', 'metisandromeda metisevm metiseth', none],
  mode: [34443, 'Mode', 'MODE', 'ETH', 'modemainnet modeeth', none],
  zora: [7777777, 'Zora', 'ZORA', 'ETH', 'zoramainnet zoraeth', none],
  abstract: [2741, 'Abstract', 'ABSTRACT', 'ETH', 'abstractmainnet abseth', none],
  aurora: [1313161554, 'Aurora', 'AURORA', 'ETH', 'auroramainnet auroraevm', none],
  ronin: [2020, 'Ronin', 'RON (Ronin)', 'RON', 'ron', none],
  flare: [14, 'Flare', 'FLR (Flare)', 'FLR', 'flr flrevm', none],
  core: [1116, 'Core', 'CORE', 'CORE', 'coredao corechain', none],
  pulsechain: [369, 'PulseChain', 'PLS (PulseChain)', 'PLS', 'pls', none],
  'ethereum-classic': [61, 'Ethereum Classic', 'ETC (Ethereum Classic)', 'ETC', 'etc etcevm etchash', none],
} as const satisfies Readonly<Record<string, EvmRow>>

/** A network whose addresses are those of Ethereum. */
export type EvmKind = keyof typeof evmNetworks

/** A line, written out. A service may also write the id: `eip155:8453` (CAIP-2). */
export function evmRow([chainId, name, exchangeName, coins, spellings, tokens]: EvmRow): NetworkRow {
  const names = coins.split(' ')
  const own = Object.fromEntries(names.map((coin) => [coin, 18]))
  return {
    name,
    exchangeName,
    spellings: `${spellings} eip155:${chainId}`,
    decimals: { ...own, ...tokens },
    coins: names,
    chainId,
    usualMinutes: 15,
  }
}
