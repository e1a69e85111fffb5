/**
 * Accepts what the contract promises and nothing else. Every answer and every request passes here
 * before anything sees it.
 */
import {
  type Arrival,
  arrivalKinds,
  type Checkout,
  type CheckoutRequest,
  type Choice,
  cartStates,
  type EvmPayment,
  type Handover,
  type HistoryEntry,
  type Initial,
  isPlainAddress,
  isPlainTag,
  type KeyedCheckout,
  type Merchant,
  type Method,
  type NetworkInfo,
  type Offer,
  orderStatuses,
  type Price,
  phases,
} from './checkout.ts'
import { canonicalDecimal } from './decimal.ts'
import { type TagWord, tagWords } from './networks/row.ts'
import {
  asBoolean,
  asInteger,
  asList,
  asOneOf,
  asOptionalText,
  asRecord,
  asText,
  asTimestamp,
  own,
  ParseError,
  urlOf,
} from './parse.ts'

/** @throws ParseError naming the field that is missing or wrong. */
export function parseCheckoutRequest(json: unknown): CheckoutRequest {
  const body = asRecord(json, 'body')
  const reference = asText(body.reference, 'reference')
  const asset = asOptionalText(body.asset, 'asset', 32)
  const network = asOptionalText(body.network, 'network', 64)
  if (asset === undefined && network === undefined) return { reference }
  if (asset === undefined || network === undefined) throw new ParseError('asset and network come together')
  return { reference, asset, network }
}

/** Accepts an absolute `http` or `https` URL and nothing that could script. */
export function asWebUrl(value: unknown, field: string): string {
  const text = asText(value, field, 2000)
  if (!/^https?:$/.test(urlOf(text)?.protocol ?? '')) throw new ParseError(`${field} is not a web address`)
  return text
}

/** Accepts a decimal above zero and writes it in canonical text. */
export function asAmount(value: unknown, field: string): string {
  const text = asText(value, field, 80)
  try {
    const amount = canonicalDecimal(text)
    if (amount !== '0') return amount
  } catch {
    // No decimal.
  }
  throw new ParseError(`${field} is not an amount above zero, as text with a point: '49.90'`)
}

/** Reads one value, or throws a ParseError that names its field. */
export type Reader<Value> = (value: unknown, field: string) => Value

const text =
  (maxLength: number): Reader<string> =>
  (value, field) =>
    asText(value, field, maxLength)

/** One of some words. */
export const oneOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value, field) =>
    asOneOf(value, field, words)

const list =
  <Item>(read: Reader<Item>): Reader<readonly Item[]> =>
  (value, field) =>
    asList(value, field, 500).map((item) => read(item, field))

/** For a field that may be left out. */
export const optional =
  <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  (value, field) =>
    value === undefined ? undefined : read(value, field)

/**
 * Takes the named fields and no others. Those that are left out are undefined, and not what all
 * objects have by that name.
 */
const record =
  <Fields extends object>(readers: { readonly [Name in keyof Fields]-?: Reader<Fields[Name]> }): Reader<Fields> =>
  (json, field) => {
    const given = own(asRecord(json, field || 'answer'))
    let fields = {}
    for (const name in own(readers))
      fields = { ...fields, [name]: readers[name](given[name], field ? `${field}.${name}` : name) }
    // Every field was read by the reader of its type.
    return fields as Fields
  }

const version: Reader<1> = (value) => {
  if (value !== 1) throw new ParseError('v is not 1: the widget and the merchant server are of different versions')
  return value
}

const address: Reader<string> = (value, field) => {
  const read = asText(value, field, 256)
  if (!isPlainAddress(read)) throw new ParseError(`${field} has characters that no address has`)
  return read
}

const tag: Reader<string | null> = (value, field) => {
  const read = value === null ? null : asText(value, field, 256)
  if (read !== null && !isPlainTag(read)) throw new ParseError(`${field} has characters that no tag has`)
  return read
}

// What only adds to a screen is left out where a later version says it otherwise.

/** A path below the endpoint, and no other. */
const icon: Reader<string | undefined> = (value) =>
  typeof value === 'string' && /^icons\/[\w-]{1,94}$/.test(value) ? value : undefined

const tagWord: Reader<TagWord> = (value) => tagWords.find((word) => word === value) ?? 'tag'

const earlier: Reader<string | undefined> = (value) =>
  typeof value === 'string' && isPlainAddress(value) ? value : undefined

const evmPayment = record<EvmPayment>({
  chainId: asInteger,
  decimals: asInteger,
  contract: optional(text(42)),
})

const price = record<Price>({ asset: text(32), amount: asAmount })

/** Reads what arrived. @throws ParseError naming the field that is missing or wrong. */
export const parseArrival = record<Arrival>({
  kind: oneOf(arrivalKinds),
  received: optional(price),
  due: optional(price),
  returned: optional(price),
})

/** Undefined where it is left out, or a later version says it otherwise. */
export const readable =
  <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  (value, field) => {
    try {
      return read(value, field)
    } catch (error) {
      if (error instanceof ParseError) return undefined
      throw error
    }
  }

/** What arrived; undefined where it is left out, or a later version says it otherwise. */
export const readableArrival = readable(parseArrival)

const merchant = record<Merchant>({
  name: text(200),
  returnUrl: optional(asWebUrl),
  supportUrl: optional(asWebUrl),
})

const networkInfo = record<NetworkInfo>({
  kind: text(64),
  name: text(64),
  exchangeName: text(64),
  tagWord,
  needsTag: asBoolean,
  usualMinutes: readable(asInteger),
  icon,
})

const method = record<Method>({
  asset: text(32),
  network: text(64),
  name: text(64),
  icon,
  networkInfo: optional(networkInfo),
})

const checkoutFields = {
  v: version,
  id: text(64),
  reference: text(200),
  revision: asInteger,
  status: oneOf(orderStatuses),
  phase: oneOf(phases),
  tracked: asBoolean,
  cart: oneOf(cartStates),
  test: asBoolean,
  amount: asAmount,
  asset: record<Checkout['asset']>({ symbol: text(32), name: text(64), icon }),
  network: text(64),
  networkInfo: optional(networkInfo),
  address,
  tag,
  evm: readable(evmPayment),
  price,
  description: optional(text(200)),
  orderNumber: optional(text(64)),
  merchant,
  methodCount: asInteger,
  earlier,
  arrival: readableArrival,
  createdAt: asTimestamp,
  expiresAt: asTimestamp,
  expiresInMs: asInteger,
  history: list(record<HistoryEntry>({ status: oneOf(orderStatuses), phase: oneOf(phases), at: asTimestamp })),
  viewOnly: asBoolean,
  handoverUrl: optional(asWebUrl),
}

const checkout = record<Checkout>(checkoutFields)
const keyedCheckout = record<KeyedCheckout>({ ...checkoutFields, key: text(128) })

const offer = record<Offer>({
  v: version,
  reference: text(200),
  price,
  description: optional(text(200)),
  merchant,
  methods: list(method),
  cart: oneOf(cartStates),
  test: asBoolean,
  checkout: optional(checkout),
})

const choice = record<Choice>({ v: version, offer })
const initial = record<Initial>({
  v: version,
  writtenAtMs: asInteger,
  isHeld: asBoolean,
  checkout: optional(checkout),
  offer: optional(offer),
})
const handover = record<Handover>({ v: version, token: text(128), expiresInMs: asInteger })

// Each throws a ParseError naming the field that is missing or wrong.

/**
 * Reads the answer to `GET offer`. @throws ParseError naming the field that is missing or wrong.
 */
export const parseOffer = (json: unknown): Offer => offer(json, '')

/**
 * Reads a checkout as a poll gets it. @throws ParseError naming the field that is missing or wrong.
 */
export const parseCheckout = (json: unknown): Checkout => checkout(json, '')

/**
 * Reads a checkout with its key, as its payer gets it. @throws ParseError naming the field that is
 * missing or wrong.
 */
export const parseKeyedCheckout = (json: unknown): KeyedCheckout => keyedCheckout(json, '')

/**
 * Reads the answer to `POST handover`. @throws ParseError naming the field that is missing or
 * wrong.
 */
export const parseHandover = (json: unknown): Handover => handover(json, '')

/** Reads what a server has drawn. @throws ParseError naming the field that is missing or wrong. */
export const parseInitial = (json: unknown): Initial => initial(json, '')

/** Accepts what `POST {endpoint}/checkouts` answers. */
export function parseOpened(json: unknown): KeyedCheckout | Choice {
  return own(asRecord(json, 'answer')).offer === undefined ? parseKeyedCheckout(json) : choice(json, '')
}
