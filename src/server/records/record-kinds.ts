/**
 * How carts and checkouts are stored: key, text, labels and due times. All of them are computed
 * from the record here, so no caller can forget to set them.
 */
import { orderStatuses, phases } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import {
  asBoolean,
  asInteger,
  asList,
  asOneOf,
  asRecord,
  asText,
  type JsonRecord,
  ParseError,
} from '../../contract/parse.ts'
import { asAmount, asWebUrl, readableArrival } from '../../contract/parsers.ts'
import { marksOf } from '../core/agreement.ts'
import { archivingAtMs, isLookQueue, lookQueue, lookQueues } from '../core/looks.ts'
import { isSettled, isSharedOut, nextEvent, openAttempts } from '../core/transitions.ts'
import {
  type AnswerTimes,
  type Attempt,
  attemptOutcomes,
  type Binding,
  type CartEntry,
  type CartRecord,
  type ChangeEvent,
  type CheckoutLabel,
  type CheckoutRecord,
  evidences,
  type Instructions,
  intentLabel,
  type KnownArrival,
  markLabel,
  type PendingEvent,
  type Received,
  type TakingBack,
  withinBounds,
} from '../core/types.ts'
import { parseMethod, parseTerms } from '../offers.ts'
import { madeOf } from '../store/kept-records.ts'
import type { Due, NewRecord, StoredRecord } from '../store/store.ts'

/** The parts of a stored record that its value is read from. */
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
 * What a checkout waits for: a look at its order, the delivery of an event (`tell`), a repeated
 * delivery (`tell again`) or its archiving. Repeated deliveries have a queue of their own, so that
 * first deliveries do not wait for them.
 */
export type Queue = (typeof queues)[number]

/** Checkouts. Reading one that is not stored throws `not_found`. */
export const checkoutKind: RecordKind<CheckoutRecord> = {
  keyOf: (id) => `checkout ${id}`,
  // The time of the next look is not in the text: so moving it does not rewrite the text.
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

/** A checkout that is only kept to be looked up. Searches for evidence do not list its labels. */
export function writeArchived(checkout: CheckoutRecord): NewRecord {
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  return { ...writeCheckout(checkout), due: [], labels, isArchived: true }
}

function dueIn(queue: Queue, atMs: number | null): { queue: Queue; atMs: number }[] {
  return atMs === null ? [] : [{ queue, atMs }]
}

/** The queues that only a newer version knows. They are written back for that version. */
function otherDueIn(due: readonly Due[]): readonly Due[] | undefined {
  const others = due.filter(({ queue }) => !queues.some((each) => each === queue))
  return others.length > 0 ? others : undefined
}

/** A cart from its text. @throws ParseError naming the field that is missing or wrong. */
export const parseCart = parserOf(
  (cart): CartRecord => ({
    v: 1,
    reference: asText(cart.reference, 'reference'),
    entries: asList(cart.entries, 'entries', 10_000).map(parseEntry),
    chosen: orNull(cart.chosen, (method) => asText(method, 'chosen')),
    ...(cart.linkSeries !== undefined && { linkSeries: asText(cart.linkSeries, 'linkSeries') }),
  }),
)

/** A checkout from its text. @throws ParseError naming the field that is missing or wrong. */
export const parseCheckoutRecord = parserOf(
  (checkout): Omit<CheckoutRecord, 'nextLookAtMs'> => ({
    v: 1,
    id: asText(checkout.id, 'id'),
    key: asText(checkout.key, 'key'),
    reference: asText(checkout.reference, 'reference'),
    method: parseMethod(checkout.method),
    ...parseOffered(checkout),
    test: asBoolean(checkout.test, 'test'),
    ...(checkout.account !== undefined && { account: asText(checkout.account, 'account') }),
    createdAtMs: asInteger(checkout.createdAtMs, 'createdAtMs'),
    attempts: asList(checkout.attempts, 'attempts', 1000).map(parseAttempt),
    // Records of earlier versions have none.
    refusedAtMs: asList(checkout.refusedAtMs ?? [], 'refusedAtMs', 1000).map((atMs) => asInteger(atMs, 'refusedAtMs')),
    instructions: orNull(checkout.instructions, parseInstructions),
    ...(checkout.namedOrderId !== undefined && { namedOrderId: asText(checkout.namedOrderId, 'namedOrderId') }),
    binding: orNull(checkout.binding, parseBinding),
    candidates: asList(checkout.candidates, 'candidates', 1000).map((id) => asText(id, 'candidate')),
    excluded: asList(checkout.excluded, 'excluded', 1000).map((id) => asText(id, 'excluded')),
    unresolvedTold: asBoolean(checkout.unresolvedTold, 'unresolvedTold'),
    status: asOneOf(checkout.status, 'status', orderStatuses),
    statusAsOfMs: orNull(checkout.statusAsOfMs, (value) => asInteger(value, 'statusAsOfMs')),
    ...(checkout.takingBack !== undefined && { takingBack: parseTakingBack(checkout.takingBack) }),
    history: asList(checkout.history, 'history', 10_000).map((value) => {
      const entry = asRecord(value, 'history')
      return {
        status: asOneOf(entry.status, 'history.status', orderStatuses),
        phase: asOneOf(entry.phase, 'history.phase', phases),
        at: asText(entry.at, 'history.at'),
      }
    }),
    ...(checkout.received !== undefined && { received: parseReceived(checkout.received) }),
    ...(checkout.arrival !== undefined && { arrival: readKnownArrival(checkout.arrival) }),
    revision: asInteger(checkout.revision, 'revision'),
    events: asList(checkout.events, 'events', 10_000).map(parseEvent),
    // Records of earlier versions have none.
    lastEvent: orNull(checkout.lastEvent ?? null, parseChange),
    eventCount: asInteger(checkout.eventCount, 'eventCount'),
    views: asList(checkout.views, 'views', 1000).map((value) => {
      const view = asRecord(value, 'view')
      return { tokenHash: asText(view.tokenHash, 'view.tokenHash'), untilMs: asInteger(view.untilMs, 'view.untilMs') }
    }),
  }),
)

function parseOffered({ terms: value, offeredAmount }: JsonRecord): Pick<CheckoutRecord, 'terms' | 'offeredAmount'> {
  const terms = parseTerms(value)
  // Records of earlier versions have none.
  if (offeredAmount === undefined) return { terms }
  if (asAmount(offeredAmount, 'offeredAmount') !== terms.price.amount)
    throw new ParseError('offeredAmount is another amount than the price')
  return { terms, offeredAmount: asText(offeredAmount, 'offeredAmount') }
}

function parseEntry(value: unknown): CartEntry {
  const entry = asRecord(value, 'entry')
  const price = asRecord(entry.price, 'entry.price')
  return {
    id: asText(entry.id, 'entry.id'),
    method: asText(entry.method, 'entry.method'),
    price: { asset: asText(price.asset, 'price.asset'), amount: asText(price.amount, 'price.amount') },
    createdAtMs: asInteger(entry.createdAtMs, 'entry.createdAtMs'),
    endedAtMs: orNull(entry.endedAtMs, (endedAtMs) => asInteger(endedAtMs, 'entry.endedAtMs')),
    successor: orNull(entry.successor, (id) => asText(id, 'entry.successor')),
  }
}

function parseAttempt(value: unknown): Attempt {
  const attempt = asRecord(value, 'attempt')
  return {
    id: asText(attempt.id, 'attempt.id'),
    sentAtMs: asInteger(attempt.sentAtMs, 'attempt.sentAtMs'),
    outcome: asOneOf(attempt.outcome, 'attempt.outcome', attemptOutcomes),
    window: orNull(attempt.window, (json) => {
      const window = asRecord(json, 'window')
      return { fromMs: asInteger(window.fromMs, 'window.fromMs'), toMs: asInteger(window.toMs, 'window.toMs') }
    }),
    // Records of earlier versions have none.
    after: attempt.after === undefined ? [] : asIds(attempt.after, 'attempt.after'),
    ...(attempt.listed !== undefined && { listed: asIds(attempt.listed, 'attempt.listed') }),
  }
}

function asIds(value: unknown, field: string): readonly string[] {
  return asList(value, field, 100).map((id) => asText(id, field))
}

function parseInstructions(value: unknown): Instructions {
  const it = asRecord(value, 'instructions')
  const text = (field: string) => asText(it[field], `instructions.${field}`, 2000)
  const textOrNull = (field: string) => orNull(it[field], () => text(field))
  return {
    attemptId: text('attemptId'),
    amount: text('amount'),
    address: text('address'),
    tag: textOrNull('tag'),
    symbol: text('symbol'),
    name: text('name'),
    iconUrl: orNull(it.iconUrl, (url) => asWebUrl(url, 'instructions.iconUrl')),
    sentAtMs: asInteger(it.sentAtMs, 'instructions.sentAtMs'),
    expiresAtMs: asInteger(it.expiresAtMs, 'instructions.expiresAtMs'),
    dateTime: textOrNull('dateTime'),
    expTime: textOrNull('expTime'),
  }
}

function parseBinding(value: unknown): Binding {
  const binding = asRecord(value, 'binding')
  return {
    orderId: asText(binding.orderId, 'binding.orderId'),
    evidence: asOneOf(binding.evidence, 'binding.evidence', evidences),
    boundAtMs: asInteger(binding.boundAtMs, 'binding.boundAtMs'),
    isProvisional: asBoolean(binding.isProvisional, 'binding.isProvisional'),
  }
}

function parseReceived(value: unknown): Received {
  const received = asRecord(value, 'received')
  const text = (field: Exclude<keyof Received, 'change'>) =>
    orNull(received[field], (each) => asText(each, `received.${field}`, 2000))
  return {
    sourceAsset: text('sourceAsset'),
    sourceAmount: text('sourceAmount'),
    targetAsset: text('targetAsset'),
    targetAmount: text('targetAmount'),
    change: asInteger(received.change, 'received.change'),
  }
}

/** Undefined where a later version says it otherwise: the next answer of the service says it again. */
function readKnownArrival(value: unknown): KnownArrival | undefined {
  const arrival = readableArrival(value, 'arrival')
  if (!arrival) return undefined
  const { from, asOfMs } = asRecord(value, 'arrival')
  return {
    ...arrival,
    from: asOneOf(from, 'arrival.from', ['list', 'details'] as const),
    asOfMs: asInteger(asOfMs, 'arrival.asOfMs'),
  }
}

function parseAnswerTimes(value: unknown, field: string): AnswerTimes {
  const { sentAtMs, asOfMs } = asRecord(value, field)
  return { sentAtMs: asInteger(sentAtMs, `${field}.sentAtMs`), asOfMs: asInteger(asOfMs, `${field}.asOfMs`) }
}

function parseTakingBack(value: unknown): TakingBack {
  const held = asRecord(value, 'takingBack')
  return {
    status: asOneOf(held.status, 'takingBack.status', orderStatuses),
    first: parseAnswerTimes(held.first, 'takingBack.first'),
    since: parseAnswerTimes(held.since, 'takingBack.since'),
    isDenied: asBoolean(held.isDenied, 'takingBack.isDenied'),
    change: asInteger(held.change, 'takingBack.change'),
  }
}

function parseChange(value: unknown): ChangeEvent {
  const event = asRecord(value, 'event')
  return {
    eventId: asText(event.eventId, 'event.eventId'),
    status: asOneOf(event.status, 'event.status', orderStatuses),
    previousStatus: asOneOf(event.previousStatus, 'event.previousStatus', orderStatuses),
    at: asText(event.at, 'event.at'),
    ...(event.difference !== undefined && {
      difference: asOneOf(event.difference, 'event.difference', ['less', 'more'] as const),
    }),
  }
}

function parseEvent(value: unknown): PendingEvent {
  const event = asRecord(value, 'event')
  return {
    ...parseChange(value),
    failures: asInteger(event.failures, 'event.failures'),
    nextTryAtMs: orNull(event.nextTryAtMs, (time) => asInteger(time, 'event.nextTryAtMs')),
  }
}

/**
 * Keeps the fields that `parse` does not know, in their order: a newer version has written them,
 * and needs them after this version has written the record.
 */
function parserOf<Value>(parse: (record: JsonRecord) => Value): (text: string) => Value {
  return (text) => {
    const record = asRecord(JSON.parse(text), 'record')
    if (record.v !== 1) throw new ParseError('v is not 1: the record was written by another version of Paywindow')
    return { ...record, ...parse(record) }
  }
}

function orNull<Value>(value: unknown, parse: (value: unknown) => Value): Value | null {
  return value === null ? null : parse(value)
}
