/** How each kind of record is stored: key, labels and due times follow from the record, so nobody can forget them. */
import { PaywindowError } from '../../contract/errors.ts'
import { madeOf } from '../store/kept-records.ts'
import type { Due, NewRecord, StoredRecord } from '../store/store.ts'
import { withinBounds } from './bounds.ts'
import { type CheckoutLabel, intentLabel, markLabel } from './labels.ts'
import { archivingAtMs, isLookQueue, lookQueue, lookQueues } from './looks.ts'
import { marksOf } from './marks.ts'
import { parseCart, parseCheckoutRecord } from './parsers.ts'
import { isSettled, isSharedOut, nextEvent, openAttempts } from './pending.ts'
import type { CartRecord, CheckoutRecord } from './types.ts'

/** What a record is read from. */
type WrittenRecord = Pick<StoredRecord, 'value' | 'due'>

/** How records of one kind are named, written and read. */
export interface RecordKind<Value> {
  keyOf(id: string): string
  parse(record: WrittenRecord): Value
  write(value: Value): NewRecord
  /** The value of a record that is not stored. */
  absent(id: string): Value
}

const queues = [...lookQueues, 'tell', 'tell again', 'archive'] as const

/**
 * What a checkout waits for: a look at its order, the delivery of an event, or another try after a delivery failed. Failed ones have a
 * queue of their own, so that others do not wait for them. One that waits for nothing is archived.
 */
export type Queue = (typeof queues)[number]

/** Checkouts. Reading one that is not stored throws `not_found`. */
export const checkoutKind: RecordKind<CheckoutRecord> = {
  keyOf: (id) => `checkout ${id}`,
  // When it is looked at is not part of the text, so that putting it off does not write all of it.
  parse: onceWhereKept(({ value, due }) => ({
    ...parseCheckoutRecord(value),
    nextLookAtMs: due.find(({ queue }) => isLookQueue(queue))?.atMs ?? null,
    otherDue: otherDueIn(due),
  })),
  write: writeCheckout,
  absent: () => {
    throw new PaywindowError('not_found', 'There is no such checkout')
  },
}

/** Carts. One that is not stored is empty. */
export const cartKind: RecordKind<CartRecord> = {
  keyOf: (reference) => `cart ${reference}`,
  parse: onceWhereKept(({ value }) => parseCart(value)),
  write: (cart) => ({ key: cartKind.keyOf(cart.reference), value: JSON.stringify(cart), due: [], labels: [] }),
  absent: (reference) => ({ v: 1, reference, entries: [], chosen: null }),
}

/** A key is of one kind, so what is kept with a record is what this kind has made of it. */
function onceWhereKept<Value>(parse: (record: WrittenRecord) => Value): (record: WrittenRecord) => Value {
  return (record: WrittenRecord & { readonly [madeOf]?: { made?: unknown } }) => {
    const kept = record[madeOf]
    if (!kept) return parse(record)
    kept.made ??= parse(record)
    return kept.made as Value
  }
}

function writeCheckout(grown: CheckoutRecord): NewRecord {
  const checkout = withinBounds(grown)
  const { nextLookAtMs, otherDue = [], ...kept } = checkout
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  const mayBeConfused = openAttempts(checkout).length > 0 || !isSettled(checkout.binding) || isSharedOut(checkout)
  if (mayBeConfused) labels.push(intentLabel(checkout))
  if (checkout.instructions) {
    const { places, times } = marksOf(checkout.instructions, checkout.method)
    labels.push(...new Set([...places, ...times].map(markLabel)))
  }
  if (checkout.instructions && !checkout.binding) labels.push('unresolved')
  if (checkout.events.length > 0) labels.push('untold')
  const event = nextEvent(checkout)
  const deliveryQueue = event && event.failures > 0 ? 'tell again' : 'tell'
  return {
    key: checkoutKind.keyOf(checkout.id),
    value: JSON.stringify(kept),
    due: [
      ...dueIn(lookQueue(checkout), nextLookAtMs),
      ...dueIn(deliveryQueue, event?.nextTryAtMs ?? null),
      ...dueIn('archive', archivingAtMs(checkout)),
      ...otherDue,
    ],
    labels,
  }
}

/** A checkout that is kept only to be looked up: it is evidence no more, and waits for nothing. */
export function writeArchived(checkout: CheckoutRecord): NewRecord {
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  return { ...writeCheckout(checkout), due: [], labels, isArchived: true }
}

function dueIn(queue: Queue, atMs: number | null): { queue: Queue; atMs: number }[] {
  return atMs === null ? [] : [{ queue, atMs }]
}

/** A newer version that runs beside this one, or comes back, finds the checkout where it has put it. */
function otherDueIn(due: readonly Due[]): readonly Due[] | undefined {
  const others = due.filter(({ queue }) => !queues.some((each) => each === queue))
  return others.length > 0 ? others : undefined
}
