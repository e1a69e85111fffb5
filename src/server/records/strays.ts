/** What is remembered of orders that no checkout has: one record of the account. */
import { asInteger, asList, asRecord, asText } from '../../contract/parse.ts'
import type { RecordKind } from './record-kinds.ts'

/** The newest that are remembered of each kind: where another shop makes orders on the same account, they never end. */
export const mostRemembered = 2_000

/** Since when such orders are looked for, and the ids of those that the merchant was told of, the last told last. */
export interface Strays {
  /** By the service's clock; null before the first look. */
  readonly sinceMs: number | null
  readonly unpaid: readonly string[]
  /** And of those that were paid before the first look. */
  readonly paid: readonly string[]
}

/** The only record of its kind. Damaged, it begins anew. What a newer version has added to it stays. */
export const straysKind: RecordKind<Strays> = {
  keyOf: () => 'strays',
  parse: ({ value }) => parseStrays(value) ?? straysKind.absent(''),
  write: (strays) => {
    const newest = { unpaid: strays.unpaid.slice(-mostRemembered), paid: strays.paid.slice(-mostRemembered) }
    return { key: 'strays', value: JSON.stringify({ v: 1, ...strays, ...newest }), due: [], labels: [] }
  },
  absent: () => ({ sinceMs: null, unpaid: [], paid: [] }),
}

function parseStrays(text: string): Strays | undefined {
  try {
    const record = asRecord(JSON.parse(text), 'record')
    const idsOf = (name: 'unpaid' | 'paid') => asList(record[name], name, 10_000).map((id) => asText(id, 'id'))
    return { ...record, sinceMs: asInteger(record.sinceMs, 'sinceMs'), unpaid: idsOf('unpaid'), paid: idsOf('paid') }
  } catch {
    return undefined
  }
}
