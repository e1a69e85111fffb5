/** A quote: the price at which the service exchanges a deposit. */

/**
 * How long a quote is frozen, in ms from when it was asked for. The interface of the service states
 * 20 minutes.
 *
 * @example
 * ```ts
 * quoteLifetimeMs // => 1_200_000
 * ```
 */
export const quoteLifetimeMs = 20 * 60_000
