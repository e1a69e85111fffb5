/** Rules for how a cart's record may change: pure functions, so that a lost update shows in the write that caused it. */
import type { CartEntry, CartRecord } from '../../../src/server/core/types.ts'
import type { Rule } from './findings.ts'

/** Returns what is wrong with a record that has just replaced `before`. */
export function cartFaults(before: CartRecord | undefined, next: CartRecord): readonly { rule: Rule; what: string }[] {
  const open = next.entries.filter(({ endedAtMs }) => endedAtMs === null).map(({ method }) => method)
  const twice = open.find((method, at) => open.indexOf(method) !== at)
  return [
    ...(twice === undefined
      ? []
      : [{ rule: 'second payable' as const, what: `cart ${next.reference} has two checkouts for ${twice}` }]),
    ...(before?.entries ?? []).flatMap((old, at) => {
      const what = entryFault(old, next.entries[at])
      return what === null ? [] : [{ rule: 'lost' as const, what: `cart ${next.reference}: ${what}` }]
    }),
  ]
}

/** Returns what is wrong with an entry, or null. Its place never changes, nor do its end and its successor once they are set. */
function entryFault(old: CartEntry, next: CartEntry | undefined): string | null {
  if (next?.id !== old.id) return `checkout ${old.id} is gone`
  if (old.endedAtMs !== null && next.endedAtMs !== old.endedAtMs) return `checkout ${old.id} ended twice`
  if (old.successor !== null && next.successor !== old.successor) return `checkout ${old.id} got another successor`
  return null
}
