/**
 * Exact arithmetic for the simulated payer: counted in the asset's smallest unit, never in floating
 * point.
 */

interface Quote {
  readonly sourceAmount: string
  readonly sourceDecimals: number
  readonly received: string
}

/** Half of what is asked for, rounded down. */
export function halfOf({ sourceAmount, sourceDecimals }: Quote): string {
  return toText(toUnits(sourceAmount, sourceDecimals) / 2n, sourceDecimals)
}

/** What is asked for and has not arrived yet. */
export function missingOf({ sourceAmount, sourceDecimals, received }: Quote): string {
  return toText(toUnits(sourceAmount, sourceDecimals) - toUnits(received, sourceDecimals), sourceDecimals)
}

/** What is asked for, plus this much more. */
export function sumOf({ sourceAmount, sourceDecimals }: Quote, more: string): string {
  return toText(toUnits(sourceAmount, sourceDecimals) + toUnits(more, sourceDecimals), sourceDecimals)
}

function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

function toText(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/\.?0+$/, '')
}
