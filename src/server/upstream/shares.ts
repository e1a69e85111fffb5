/** Divides the requests that an account may send in a second among its servers. */

/**
 * Each of `wants` gets what it wants where that is no more than an equal part; what is left goes to those that want more, and what nobody
 * wants to all alike.
 *
 * @param most - Requests in a second, of all together.
 * @returns The parts, in the order of `wants`. Their sum is `most`.
 */
export function shareOut(most: number, wants: readonly number[]): readonly number[] {
  const parts = wants.map(() => 0)
  const modestFirst = wants.map((wanted, at) => ({ wanted, at })).sort((a, b) => a.wanted - b.wanted)
  let left = most
  for (const [place, { wanted, at }] of modestFirst.entries()) {
    parts[at] = Math.min(wanted, left / (wants.length - place))
    left -= parts[at] ?? 0
  }
  return parts.map((part) => part + left / wants.length)
}
