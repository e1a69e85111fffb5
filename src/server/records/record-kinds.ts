/**
 * How each kind of record is stored: key, text, labels and due times, all computed here, so that no
 * caller can forget one.
 */
import { arrivalKinds, orderStatuses, phases } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { asBoolean, asInteger, asList, asRecord, asText, type JsonRecord, ParseError } from '../../contract/parse.ts'
import { asAmount, asWebUrl, oneOf, optional, type Reader, readableArrival } from '../../contract/parsers.ts'
import { marksOf } from '../core/agreement.ts'
import { archivingAtMs, type LookQueue, lookQueue, lookQueues } from '../core/looks.ts'
import { isSettled, isSharedOut, nextEvent, openAttempts } from '../core/transitions.ts'
import {
  type Attempt,
  attemptOutcomes,
  type CartRecord,
  type CheckoutLabel,
  type CheckoutRecord,
  evidences,
  intentLabel,
  type KnownArrival,
  withinBounds,
} from '../core/types.ts'
import { parseMethod, parseTerms } from '../offers.ts'
import { madeOf } from '../store/kept-records.ts'
import type { NewRecord, StoredRecord } from '../store/store.ts'

/** The parts of a stored record that its value is read from. */
type WrittenRecord = Pick<StoredRecord, 'value' | 'due'>

/** How records of one kind are named, written and read. */
export interface RecordKind<Value> {
  keyOf(id: string): string
  parse(record: WrittenRecord): Value
  write(value: Value): NewRecord
  /** The value of a missing record. */
  absent(id: string): Value
}

/**
 * The work that a checkout waits for: a look at its order, the delivery of an event (`tell`), a
 * repeated delivery (`tell again`) or its archiving. Repeated deliveries have their own queue, so
 * that first deliveries do not wait for them.
 */
export type Queue = LookQueue | 'tell' | 'tell again' | 'archive'

/** Checkouts. Reading a missing one throws `not_found`. */
export const checkoutKind: RecordKind<CheckoutRecord> = {
  keyOf: (id) => `checkout ${id}`,
  // The text lacks the time of the next look, so that moving it does not rewrite the text.
  parse: onceWhereKept(({ value, due }) => {
    const look = due.find(({ queue }) => lookQueues.some((each) => each === queue))
    return { ...parseCheckoutRecord(value), nextLookAtMs: look ? asInteger(look.atMs, 'nextLookAtMs') : null }
  }),
  write: writeCheckout,
  absent: () => {
    throw new PaywindowError('not_found', 'There is no such checkout')
  },
}

/** Carts. A missing one is empty. */
export const cartKind: RecordKind<CartRecord> = {
  keyOf: (reference) => `cart ${reference}`,
  parse: onceWhereKept(({ value }) => parseCart(value)),
  write: (cart) => ({ key: cartKind.keyOf(cart.reference), value: JSON.stringify(cart), due: [], labels: [] }),
  absent: (reference) => ({ v: 1, reference, entries: [], chosen: null }),
}

/**
 * Keeps the parsed value with a record that the store keeps in memory. The cast is safe, because a
 * key belongs to one kind of record.
 */
function onceWhereKept<Value>(parse: (record: WrittenRecord) => Value): (record: WrittenRecord) => Value {
  return (record: WrittenRecord & { readonly [madeOf]?: { made?: unknown } }) => {
    const kept = record[madeOf]
    if (!kept) return parse(record)
    kept.made ??= parse(record)
    return kept.made as Value
  }
}

function writeCheckout(unbounded: CheckoutRecord): NewRecord {
  const checkout = withinBounds(unbounded)
  const { nextLookAtMs, ...kept } = checkout
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  const mayBeConfused = openAttempts(checkout).length > 0 || !isSettled(checkout.binding) || isSharedOut(checkout)
  if (mayBeConfused) labels.push(intentLabel(checkout))
  if (checkout.instructions) {
    const { place, times } = marksOf(checkout.instructions, checkout.method)
    labels.push(...new Set([place, ...times]))
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
    ],
    labels,
  }
}

/** A checkout that is kept only for lookups, without the labels of searches. */
export function writeArchived(checkout: CheckoutRecord): NewRecord {
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  return { ...writeCheckout(checkout), due: [], labels, isArchived: true }
}

function dueIn(queue: Queue, atMs: number | null): { queue: Queue; atMs: number }[] {
  return atMs === null ? [] : [{ queue, atMs }]
}

type Readers<Value> = { readonly [Name in keyof Value]-?: Reader<Value[Name]> }

/**
 * Returns a function that puts the fields of `given` into `found`. Optional fields may be missing.
 */
function fieldsOf<Value>(name: string, readers: Readers<Value>) {
  const fields = Object.entries<Reader<unknown>>(readers).map(
    ([field, read]) => [field, read, name === '' ? field : `${name}.${field}`] as const,
  )
  return (given: JsonRecord, found: Record<string, unknown>): Value => {
    for (const [field, read, path] of fields) {
      const result = read(given[field], path)
      if (result !== found[field]) found[field] = result
    }
    // Every field was read by the reader of its type.
    return found as Value
  }
}

/**
 * Reads an object with exactly these fields. Never change their order, which is that of stored
 * texts.
 */
function object<Value>(name: string, readers: Readers<Value>): Reader<Value> {
  const read = fieldsOf(name, readers)
  return (value) => read(asRecord(value, name), {})
}

/**
 * Reads the text of a record. Keeps unknown fields, in their order, for the newer version that
 * wrote them.
 */
function parserOf<Value>(readers: Readers<Value>): (text: string) => Value {
  const read = fieldsOf('', readers)
  return (text) => {
    const record = asRecord(JSON.parse(text), 'record')
    return read(record, record)
  }
}

function orNull<Value>(read: Reader<Value>): Reader<Value | null> {
  return (value, field) => (value === null ? null : read(value, field))
}

function listOf<Item>(most: number, read: Reader<Item>, nameOfItem?: string): Reader<readonly Item[]> {
  return (value, field) => asList(value, field, most).map((item) => read(item, nameOfItem ?? field))
}

/** One reader for fields of these names. */
function each<Name extends string, Value>(read: Reader<Value>, ...names: Name[]): Record<Name, Reader<Value>> {
  return Object.fromEntries(names.map((name) => [name, read])) as Record<Name, Reader<Value>>
}

const version: Reader<1> = (value) => {
  if (value === 1) return value
  throw new ParseError('v is not 1: the record was written by another version of Paywindow')
}
const longText: Reader<string> = (value, field) => asText(value, field, 2000)
const optionalText = optional(asText)
const status = oneOf(orderStatuses)

/** A cart from its text. @throws ParseError naming the field that is missing or wrong. */
export const parseCart = parserOf<CartRecord>({
  v: version,
  reference: asText,
  entries: listOf(
    10_000,
    object('entry', {
      ...each(asText, 'id', 'method'),
      price: object('price', each(asText, 'asset', 'amount')),
      createdAtMs: asInteger,
      endedAtMs: orNull(asInteger),
      successor: orNull(asText),
    }),
  ),
  chosen: orNull(asText),
  linkSeries: optional(asText),
  lapsedWith: optional(asText),
})

/** A checkout from its text. @throws ParseError naming the field that is missing or wrong. */
export function parseCheckoutRecord(text: string): Omit<CheckoutRecord, 'nextLookAtMs'> {
  const checkout = readCheckout(text)
  const { offeredAmount, terms } = checkout
  if (offeredAmount !== undefined && asAmount(offeredAmount, 'offeredAmount') !== terms.price.amount)
    throw new ParseError('offeredAmount is another amount than the price')
  return checkout
}

const answerTimes = each(asInteger, 'sentAtMs', 'asOfMs')

const knownSince = object<Pick<KnownArrival, 'from' | 'asOfMs'>>('arrival', {
  from: oneOf(['list', 'details']),
  asOfMs: asInteger,
})

/** Undefined if a later version wrote it differently: the service's next answer shows it again. */
const knownArrival: Reader<KnownArrival | undefined> = (value, field) => {
  const arrival = readableArrival(value, field)
  return arrival && { ...arrival, ...knownSince(value, field) }
}

const change = {
  eventId: asText,
  ...each(status, 'status', 'previousStatus'),
  at: asText,
  difference: optional(oneOf(['less', 'more'])),
  arrival: optional(knownArrival),
}

const readCheckout = parserOf<Omit<CheckoutRecord, 'nextLookAtMs'>>({
  v: version,
  ...each(asText, 'id', 'key', 'reference', 'account'),
  method: parseMethod,
  terms: parseTerms,
  ...each(optionalText, 'offeredAmount', 'namedOrderId'),
  ...each(asBoolean, 'test', 'unresolvedTold'),
  ...each(asInteger, 'createdAtMs', 'revision', 'eventCount'),
  attempts: listOf(
    1000,
    object<Attempt>('attempt', {
      id: asText,
      sentAtMs: asInteger,
      outcome: oneOf(attemptOutcomes),
      window: orNull(object('window', each(asInteger, 'fromMs', 'toMs'))),
      after: listOf(100, asText),
      listed: optional(listOf(100, asText)),
      isShared: optional(asBoolean),
    }),
  ),
  refusedAtMs: listOf(1000, asInteger),
  instructions: orNull(
    object('instructions', {
      ...each(longText, 'attemptId', 'amount', 'address'),
      tag: orNull(longText),
      ...each(longText, 'symbol', 'name'),
      iconUrl: orNull(asWebUrl),
      ...each(asInteger, 'sentAtMs', 'expiresAtMs'),
      ...each(orNull(longText), 'dateTime', 'expTime'),
    }),
  ),
  binding: orNull(
    object('binding', { orderId: asText, evidence: oneOf(evidences), boundAtMs: asInteger, isProvisional: asBoolean }),
  ),
  candidates: listOf(1000, asText, 'candidate'),
  excluded: listOf(1000, asText),
  status,
  statusAsOfMs: orNull(asInteger),
  takingBack: optional(
    object('takingBack', {
      status,
      first: object('takingBack.first', answerTimes),
      since: object('takingBack.since', answerTimes),
      isDenied: asBoolean,
    }),
  ),
  history: listOf(10_000, object('history', { status, phase: oneOf(phases), at: asText })),
  seenLate: optional(asBoolean),
  received: optional(
    object('received', each(orNull(longText), 'sourceAsset', 'sourceAmount', 'targetAsset', 'targetAmount')),
  ),
  arrival: optional(knownArrival),
  kindsTold: optional(listOf(10, oneOf(arrivalKinds))),
  events: listOf(10_000, object('event', { ...change, failures: asInteger, nextTryAtMs: orNull(asInteger) })),
  lastEvent: orNull(object('event', change)),
  views: listOf(1000, object('view', { tokenHash: asText, untilMs: asInteger })),
})

// Two single records of a store: the servers that send requests to the service, and the reported
// strays.

/** A server's entry, written by that server. */
export interface ServerEntry {
  /** When the entry was written, by the server's own clock, in ms since the epoch. */
  readonly atMs: number
  /** The requests that it may send a second, in thousandths. */
  readonly share: number
  /** The requests that it needs a second. */
  readonly wants: number
  /** Ms after `atMs` for which the service refuses all requests of this account; 0: none. */
  readonly holdMs: number
}

/** The servers by their ids. */
export type Servers = Readonly<Record<string, ServerEntry>>

/**
 * The record of all servers. If it is lost or damaged, the servers write it again within a second.
 * Fields of a newer version are kept.
 */
export const serversKind: RecordKind<{ readonly servers: Servers }> = {
  keyOf: () => 'servers',
  parse: ({ value }) => orElse(serversKind.absent(''), () => parseServers(value)),
  write: (record) => ({ key: 'servers', value: JSON.stringify({ v: 1, ...record }), due: [], labels: [] }),
  absent: () => ({ servers: {} }),
}

const serverFields = fieldsOf<ServerEntry>('server', each(asInteger, 'atMs', 'share', 'wants', 'holdMs'))
const parseServers = parserOf<{ readonly servers: Servers }>({
  servers: (value, field) =>
    Object.fromEntries(
      Object.entries(asRecord(value, field)).map(([id, stored]) => {
        const entry = asRecord(stored, 'server')
        return [id, serverFields(entry, entry)]
      }),
    ),
})

/** What `parse` makes of a text, or this where the text is damaged. */
function orElse<Value, Other>(other: Other, parse: () => Value): Value | Other {
  try {
    return parse()
  } catch {
    return other
  }
}

/** The ids that each list keeps. Another shop on the account would make it grow for ever. */
export const mostRemembered = 2_000

/** Orders without a checkout that need no further report, the latest last. */
export interface Strays {
  /** The time of the first look, by the service's clock; null before it. */
  readonly sinceMs: number | null
  /** Ids of reported unpaid orders. */
  readonly unpaid: readonly string[]
  /** Ids of paid orders that were reported, or paid before the first look. */
  readonly paid: readonly string[]
}

const parseStrays = parserOf<Strays>({ sinceMs: asInteger, ...each(listOf(10_000, asText), 'unpaid', 'paid') })

/**
 * The record of strays, which starts empty if it is damaged. Fields of a newer version are kept.
 */
export const straysKind: RecordKind<Strays> = {
  keyOf: () => 'strays',
  parse: ({ value }) => orElse(straysKind.absent(''), () => parseStrays(value)),
  write: (strays) => {
    const newest = { unpaid: strays.unpaid.slice(-mostRemembered), paid: strays.paid.slice(-mostRemembered) }
    return { key: 'strays', value: JSON.stringify({ v: 1, ...strays, ...newest }), due: [], labels: [] }
  },
  absent: () => ({ sinceMs: null, unpaid: [], paid: [] }),
}
