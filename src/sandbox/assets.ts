/** The assets of the sandbox, with their networks and rates. */
import { formatAtomic, toAtomic } from '../contract/decimal.ts'

/** An asset. `network` is null for fiat, which has none. */
export interface SandboxAsset {
  readonly symbol: string
  readonly name: string
  readonly network: string | null
  /** Digits after the point that a deposit can have. */
  readonly decimals: number
  /** Digits after the point that a quote can have: the service may use fewer than a deposit. */
  readonly quoteDecimals: number
  /** The value of one unit in US dollars, as decimal text. */
  readonly rate: string
  /** The colour of its icon, as `#rrggbb`. */
  readonly color: string
}

const crypto = (
  symbol: string,
  name: string,
  network: string,
  decimals: number,
  quoteDecimals: number,
  rate: string,
  color: string,
): SandboxAsset => ({ symbol, name, network, decimals, quoteDecimals, rate, color })

const fiat = (symbol: string, name: string, rate: string): SandboxAsset => ({
  symbol,
  name,
  network: null,
  decimals: 2,
  quoteDecimals: 2,
  rate,
  color: '#4b5563',
})

/** Every asset of the sandbox, with fixed, plausible rates. */
export const sandboxAssets: readonly SandboxAsset[] = [
  crypto('BTC', 'Bitcoin', 'bitcoin', 8, 8, '97342.18', '#f7931a'),
  crypto('LTC', 'Litecoin', 'litecoin', 8, 8, '94.37', '#345d9d'),
  crypto('ETH', 'Ethereum', 'erc-20', 18, 8, '3127.46', '#627eea'),
  crypto('USDC', 'USD Coin', 'erc-20', 6, 6, '0.9998', '#2775ca'),
  crypto('USDT', 'Tether', 'trc-20', 6, 6, '1.0003', '#26a17b'),
  crypto('XRP', 'XRP', 'ripple', 6, 6, '2.1847', '#23292f'),
  crypto('XLM', 'Stellar Lumens', 'stellar', 7, 7, '0.2613', '#3e1bdb'),
  crypto('ETH', 'Ethereum', 'base', 18, 8, '3127.46', '#627eea'),
  crypto('USDC', 'USD Coin', 'base', 6, 6, '0.9998', '#2775ca'),
  crypto('USDC', 'USD Coin', 'polygon', 6, 6, '0.9998', '#2775ca'),
  crypto('USDT', 'Tether', 'arbitrum one', 6, 6, '1.0003', '#26a17b'),
  crypto('AVAX', 'Avalanche', 'avax-c', 18, 8, '21.63', '#e84142'),
  crypto('SOL', 'Solana', 'solana', 9, 9, '187.52', '#9945ff'),
  crypto('DOGE', 'Dogecoin', 'dogecoin', 8, 8, '0.1824', '#ba9f33'),
  crypto('ADA', 'Cardano', 'cardano', 6, 6, '0.6142', '#0033ad'),
  crypto('DOT', 'Polkadot', 'polkadot', 10, 8, '4.127', '#e6007a'),
  crypto('HBAR', 'Hedera', 'hedera', 8, 8, '0.1793', '#3c3f44'),
  crypto('TON', 'Toncoin', 'ton', 9, 9, '2.943', '#0098ea'),
  fiat('USD', 'US Dollar', '1'),
  fiat('EUR', 'Euro', '1.0842'),
  fiat('BRL', 'Brazilian Real', '0.1787'),
  fiat('MXN', 'Mexican Peso', '0.0534'),
]

/** Finds an asset by its symbol and network; without a network, the first with the symbol. */
export function findAsset(symbol: string, network?: string): SandboxAsset | undefined {
  return sandboxAssets.find((each) => each.symbol === symbol && (network === undefined || each.network === network))
}

/** Digits after the point of a rate in calculations. */
const rateDecimals = 18

/** The value of one unit of an asset in US dollars, as decimal text above zero. */
export type RateOf = (asset: SandboxAsset) => string

/** The amount of `source` that buys `targetAmount`, rounded up for the merchant. */
export function sourceFor(source: SandboxAsset, target: SandboxAsset, targetAmount: string, rateOf: RateOf): string {
  const dividend = toAtomic(targetAmount, target.decimals) * rate(target, rateOf) * 10n ** BigInt(source.quoteDecimals)
  const divisor = 10n ** BigInt(target.decimals) * rate(source, rateOf)
  return formatAtomic((dividend + divisor - 1n) / divisor, source.quoteDecimals)
}

/** The amount of `target` that `sourceAmount` buys, rounded down. */
export function targetFor(source: SandboxAsset, target: SandboxAsset, sourceAmount: string, rateOf: RateOf): string {
  const dividend = toAtomic(sourceAmount, source.decimals) * rate(source, rateOf) * 10n ** BigInt(target.quoteDecimals)
  const divisor = 10n ** BigInt(source.decimals) * rate(target, rateOf)
  return formatAtomic(dividend / divisor, target.quoteDecimals)
}

function rate(asset: SandboxAsset, rateOf: RateOf): bigint {
  return toAtomic(rateOf(asset), rateDecimals)
}
