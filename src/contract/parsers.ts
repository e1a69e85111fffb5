/** Lets in what the contract promises and nothing else: every answer and every request passes here before anything sees it. */
import {
  type Checkout,
  type CheckoutRequest,
  type Choice,
  cartStates,
  type Handover,
  type HistoryEntry,
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
import { PaywindowError } from './errors.ts'
import { tagWords } from './networks/row.ts'
import {
  asBoolean,
  asInteger,
  asList,
  asOneOf,
  asOptionalText,
  asRecord,
  asText,
  asTimestamp,
  type JsonRecord,
  ParseError,
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

/** @throws ParseError naming the field that is missing or wrong. */
export function parseOffer(json: unknown): Offer {
  const offer = asRecord(json, 'offer')
  checkVersion(offer)
  return {
    v: 1,
    reference: asText(offer.reference, 'reference'),
    price: parsePrice(offer.price),
    ...optional('description', offer.description, asText),
    merchant: parseMerchant(offer.merchant),
    methods: asList(offer.methods, 'methods', 500).map(parseMethod),
    cart: asOneOf(offer.cart, 'cart', cartStates),
    test: asBoolean(offer.test, 'test'),
    ...optional('checkout', offer.checkout, parseCheckout),
  }
}

/** @throws ParseError naming the field that is missing or wrong. */
export function parseCheckout(json: unknown): Checkout {
  const checkout = asRecord(json, 'checkout')
  checkVersion(checkout)
  const asset = asRecord(checkout.asset, 'asset')
  const address = asText(checkout.address, 'address', 256)
  const tag = checkout.tag === null ? null : asText(checkout.tag, 'tag', 256)
  if (!isPlainAddress(address)) throw new ParseError('address has characters that no address has')
  if (tag !== null && !isPlainTag(tag)) throw new ParseError('tag has characters that no tag has')
  return {
    v: 1,
    id: asText(checkout.id, 'id', 64),
    reference: asText(checkout.reference, 'reference'),
    revision: asInteger(checkout.revision, 'revision'),
    status: asOneOf(checkout.status, 'status', orderStatuses),
    phase: asOneOf(checkout.phase, 'phase', phases),
    tracked: asBoolean(checkout.tracked, 'tracked'),
    cart: asOneOf(checkout.cart, 'cart', cartStates),
    test: asBoolean(checkout.test, 'test'),
    amount: asAmount(checkout.amount, 'amount'),
    asset: {
      symbol: asText(asset.symbol, 'asset.symbol', 32),
      name: asText(asset.name, 'asset.name', 64),
      ...optional('icon', asset.icon, asIcon),
    },
    network: asText(checkout.network, 'network', 64),
    ...optional('networkInfo', checkout.networkInfo, parseNetworkInfo),
    address,
    tag,
    price: parsePrice(checkout.price),
    ...optional('description', checkout.description, asText),
    merchant: parseMerchant(checkout.merchant),
    methodCount: asInteger(checkout.methodCount, 'methodCount'),
    createdAt: asTimestamp(checkout.createdAt, 'createdAt'),
    expiresAt: asTimestamp(checkout.expiresAt, 'expiresAt'),
    expiresInMs: asInteger(checkout.expiresInMs, 'expiresInMs'),
    history: asList(checkout.history, 'history', 500).map(parseHistoryEntry),
    viewOnly: asBoolean(checkout.viewOnly, 'viewOnly'),
  }
}

/** @throws ParseError naming the field that is missing or wrong. */
export function parseKeyedCheckout(json: unknown): KeyedCheckout {
  return { ...parseCheckout(json), key: asText(asRecord(json, 'checkout').key, 'key', 128) }
}

/** Accepts what `POST {endpoint}/checkouts` answers. @throws ParseError naming the field that is missing or wrong. */
export function parseOpened(json: unknown): KeyedCheckout | Choice {
  const answer = asRecord(json, 'answer')
  if (answer.offer === undefined) return parseKeyedCheckout(json)
  checkVersion(answer)
  return { v: 1, offer: parseOffer(answer.offer) }
}

/** @throws ParseError naming the field that is missing or wrong. */
export function parseHandover(json: unknown): Handover {
  const handover = asRecord(json, 'handover')
  checkVersion(handover)
  return {
    v: 1,
    token: asText(handover.token, 'token', 128),
    expiresInMs: asInteger(handover.expiresInMs, 'expiresInMs'),
  }
}

/** Accepts an absolute `http` or `https` URL and nothing that could script. */
export function asWebUrl(value: unknown, field: string): string {
  const text = asText(value, field, 2000)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new ParseError(`${field} is not a web address`)
  return text
}

/** Accepts a decimal above zero and writes it in canonical text. */
export function asAmount(value: unknown, field: string): string {
  const text = asText(value, field, 80)
  try {
    const amount = canonicalDecimal(text)
    if (amount !== '0') return amount
  } catch (error) {
    if (!(error instanceof PaywindowError)) throw error
  }
  throw new ParseError(`${field} is not an amount above zero`)
}

function parsePrice(json: unknown): Price {
  const price = asRecord(json, 'price')
  return { asset: asText(price.asset, 'price.asset', 32), amount: asAmount(price.amount, 'price.amount') }
}

function parseMerchant(json: unknown): Merchant {
  const merchant = asRecord(json, 'merchant')
  return {
    name: asText(merchant.name, 'merchant.name'),
    ...optional('returnUrl', merchant.returnUrl, asWebUrl),
    ...optional('supportUrl', merchant.supportUrl, asWebUrl),
  }
}

function parseMethod(json: unknown): Method {
  const method = asRecord(json, 'method')
  return {
    asset: asText(method.asset, 'method.asset', 32),
    network: asText(method.network, 'method.network', 64),
    name: asText(method.name, 'method.name', 64),
    ...optional('icon', method.icon, asIcon),
    ...optional('networkInfo', method.networkInfo, parseNetworkInfo),
  }
}

function parseNetworkInfo(json: unknown, field: string): NetworkInfo {
  const info = asRecord(json, field)
  return {
    kind: asText(info.kind, field, 64),
    name: asText(info.name, field, 64),
    exchangeName: asText(info.exchangeName, field, 64),
    tagWord: asOneOf(info.tagWord, field, tagWords),
    needsTag: asBoolean(info.needsTag, field),
  }
}

function parseHistoryEntry(json: unknown): HistoryEntry {
  const entry = asRecord(json, 'history entry')
  return {
    status: asOneOf(entry.status, 'history.status', orderStatuses),
    phase: asOneOf(entry.phase, 'history.phase', phases),
    at: asTimestamp(entry.at, 'history.at'),
  }
}

function asIcon(value: unknown, field: string): string {
  const icon = asText(value, field, 100)
  if (!/^icons\/[\w-]+$/.test(icon)) throw new ParseError(`${field} is not a path below the endpoint`)
  return icon
}

function checkVersion(record: JsonRecord): void {
  if (record.v !== 1) throw new ParseError('v is not 1: the widget and the merchant server are of different versions')
}

/** A field that may be left out, to be spread into what has it. */
function optional<Name extends string, Value>(
  name: Name,
  value: unknown,
  read: (value: unknown, field: string) => Value,
): { [key in Name]?: Value } {
  // A computed key widens to string; the one key set here is the one in the type.
  return value === undefined ? {} : ({ [name]: read(value, name) } as { [key in Name]: Value })
}
