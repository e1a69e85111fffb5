/** Finds payments: one filter for the commands and for the desk. */
import { ParseError } from '../contract/parse.ts'
import { firstIdAt } from '../server/records/ids.ts'
import type { MerchantCheckout, MerchantCheckouts } from '../server/views/merchant-view.ts'
import { type Dealt, knownOf } from './dealt.ts'

/** What can be asked for, and what it is called on the desk. */
export const kinds = {
  attention: 'Waits for you',
  'paid-twice': 'Paid twice',
  short: 'Too little came',
  over: 'Too much came',
  late: 'Came too late',
  'taken-back': 'Taken back',
  returned: 'Sent back',
  unresolved: 'Order not known',
  untold: 'Your shop was not told',
  paid: 'Paid',
  seen: 'On its way',
  open: 'Not paid yet',
  ended: 'Not paid, and over',
} as const

/** A kind of payment. */
export type Kind = keyof typeof kinds

/** Whether a text is the name of a kind. */
export function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text)
}

/** Which payments: all that is named has to fit. */
export interface Filter {
  readonly only?: Kind
  /** When it was paid or, while it is not paid, created: from here, in ms since the epoch. */
  readonly fromMs?: number
  /** Before this, in ms since the epoch. */
  readonly toMs?: number
  /** A part of the order, its number, an id, an address, a tag or an amount, in any case. */
  readonly search?: string
  readonly reference?: string
}

/** A part of what is found. */
export interface Part {
  /** Only those older than this id. */
  readonly before?: string | undefined
  readonly limit: number
  /** Reads no more checkouts than this. Default: all. */
  readonly mostRead?: number
}

/** Payments, newest first. */
export interface Found {
  readonly found: readonly MerchantCheckout[]
  /** `before` of the next part; undefined where there is none. */
  readonly next: string | undefined
}

/** What a payment is judged by, besides itself. */
export interface Circumstances {
  readonly nowMs: number
  /** Carts that were paid more than once, as `paidTwice` finds them. */
  readonly twice: ReadonlySet<string>
  readonly dealt: Dealt
}

type Checkouts = Pick<MerchantCheckouts, 'list'>

/** Checkouts that a store returns at most at once. */
const pageSize = 1_000
/** A younger change is on its way to the shop, and an order may still be found. */
const youngMs = 600_000

/** Reads the store until `limit` payments are found. */
export async function searchPayments(
  checkouts: Checkouts,
  filter: Filter,
  { before, limit, mostRead = Number.POSITIVE_INFINITY }: Part,
  circumstances: Circumstances,
): Promise<Found> {
  const { only, reference, toMs = Number.POSITIVE_INFINITY } = filter
  // Nothing is paid before it is created.
  const firstLater = Number.isFinite(toMs) ? firstIdAt(toMs) : undefined
  const from =
    before !== undefined && firstLater !== undefined && before > firstLater ? firstLater : (before ?? firstLater)
  const found: MerchantCheckout[] = []
  let read = 0
  const label = only === 'unresolved' || only === 'untold' ? only : undefined
  for await (const checkout of everyCheckout(checkouts, { before: from, reference, only: label })) {
    read += 1
    if (fits(checkout, filter, circumstances)) found.push(checkout)
    if (found.length >= limit || read >= mostRead) return { found, next: checkout.id }
  }
  return { found, next: undefined }
}

/** Reads checkouts page by page, newest first: all, or those of a cart or with a label. */
export async function* everyCheckout(
  checkouts: Checkouts,
  query: {
    readonly before?: string | undefined
    readonly reference?: string | undefined
    readonly only?: 'unresolved' | 'untold' | undefined
  } = {},
): AsyncGenerator<MerchantCheckout> {
  const { before: from, reference, only } = query
  for (let before = from; ; ) {
    const page = await checkouts.list({
      limit: pageSize,
      ...(before !== undefined && { before }),
      ...(reference === undefined ? only && { only } : { reference }),
    })
    yield* page
    before = page.at(-1)?.id
    // A page can be short in the middle: records that cannot be read are left out.
    if (before === undefined) return
  }
}

/**
 * References of carts that were paid more than once. @param mostRead - Checkouts that are read;
 * default: all.
 */
export async function paidTwice(
  checkouts: Checkouts,
  mostRead = Number.POSITIVE_INFINITY,
): Promise<ReadonlySet<string>> {
  const paid = new Map<string, number>()
  let read = 0
  for await (const { phase, reference } of everyCheckout(checkouts)) {
    if (isPaid(phase)) paid.set(reference, (paid.get(reference) ?? 0) + 1)
    read += 1
    if (read >= mostRead) break
  }
  return new Set([...paid].filter(([, times]) => times > 1).map(([reference]) => reference))
}

/** All kinds that a payment is of. */
export function kindsOf(checkout: MerchantCheckout, { twice, dealt, nowMs }: Circumstances): readonly Kind[] {
  const { phase, arrival, order, deposit, history, createdAt, changedAt, untoldEvents, reference } = checkout
  const changedMs = Date.parse(changedAt ?? createdAt)
  const isOld = (atMs: number) => nowMs - atMs > youngMs
  const is: Readonly<Record<Exclude<Kind, 'attention'>, boolean>> = {
    'paid-twice': isPaid(phase) && twice.has(reference),
    short: phase === 'paid_less' || (phase === 'seen' && arrival?.kind === 'short'),
    over: phase === 'paid_more' || (phase === 'seen' && arrival?.kind === 'over'),
    late: checkout.isLate,
    'taken-back': !isPaid(phase) && history.some((entry) => entry.phase === 'paid' || entry.status === 'confirmed'),
    returned: !isPaid(phase) && arrival?.kind === 'returning',
    unresolved: order === null && deposit !== null,
    untold: untoldEvents > 0,
    paid: isPaid(phase),
    seen: phase === 'seen',
    open: phase === 'waiting',
    ended: phase === 'ended',
  }
  const isUrgent =
    is['paid-twice'] ||
    is['taken-back'] ||
    is.short ||
    is.over ||
    (is.late && is.seen) ||
    (is.seen && arrival?.kind === 'other') ||
    (is.unresolved && isOld(Date.parse(createdAt))) ||
    (is.untold && isOld(changedMs))
  const own = (Object.keys(is) as (keyof typeof is)[]).filter((kind) => is[kind])
  return isUrgent && !dealt.has(knownOf(checkout)) ? ['attention', ...own] : own
}

/** Whether a payment waits for a person. */
export function waits(checkout: MerchantCheckout, circumstances: Circumstances): boolean {
  return kindsOf(checkout, circumstances).includes('attention')
}

/** When the service had confirmed it; null while it is not paid. */
export function paidAt({ phase, history }: MerchantCheckout): string | null {
  return isPaid(phase) ? (history.at(-1)?.at ?? null) : null
}

/**
 * Reads a time of a filter: `2026-11-01`, `2026-11-01T09:00:00Z`, or `7d`, `12h`, `30m` ago. A day
 * is one of UTC, and as an end all of it counts.
 *
 * @throws ParseError
 */
export function readMoment(text: string, end: 'from' | 'to', nowMs: number): number {
  const [, count, unit = ''] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  if (count !== undefined) return nowMs - Number(count) * (unitsMs[unit] ?? Number.NaN)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isTime = isDay || /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text)
  const atMs = isTime && isInCalendar(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (!(atMs >= 0))
    throw new ParseError(`${end} must be a day such as 2026-11-01, a time such as 2026-11-01T09:00:00Z, or 7d`)
  return isDay && end === 'to' ? atMs + dayMs : atMs
}

/** `Date.parse` takes the 31st of February for the third of March. */
function isInCalendar(day: string): boolean {
  const atMs = Date.parse(day)
  return atMs >= 0 && new Date(atMs).toISOString().startsWith(day)
}

const dayMs = 86_400_000
const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs }

function fits(
  checkout: MerchantCheckout,
  { only, fromMs, toMs, search, reference }: Filter,
  circumstances: Circumstances,
) {
  const atMs = Date.parse(paidAt(checkout) ?? checkout.createdAt)
  return (
    (fromMs === undefined || atMs >= fromMs) &&
    (toMs === undefined || atMs < toMs) &&
    (reference === undefined || checkout.reference === reference) &&
    (search === undefined || has(checkout, search.trim().toLowerCase())) &&
    (only === undefined || kindsOf(checkout, circumstances).includes(only))
  )
}

function has(
  { id, reference, orderNumber, order, deposit, price, received, candidates }: MerchantCheckout,
  part: string,
): boolean {
  const texts = [
    id,
    reference,
    orderNumber,
    order?.id,
    ...candidates,
    deposit?.address,
    deposit?.tag,
    deposit?.amount,
    price.amount,
    received?.deposit?.amount,
    received?.price?.amount,
  ]
  return texts.some((text) => text?.toLowerCase().includes(part))
}

/** Whether it is paid, with the right amount or another. */
function isPaid(phase: MerchantCheckout['phase']): boolean {
  return phase === 'paid' || phase === 'paid_less' || phase === 'paid_more'
}
