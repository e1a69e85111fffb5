/** Parses the answers of the service, field by field. Some fields have several known names. */
import { type OrderStatus, orderStatuses } from '../contract/checkout.ts'
import { asRecord, type JsonRecord, ParseError } from '../contract/parse.ts'
import type { AssetDescriptor, DepositInstructions, Order, OrderPage, Wallet } from './types.ts'

/** Most characters of ids, assets, networks, amounts and times. */
const maxLength = 200
/**
 * Most characters of a time. One that cannot be read is no evidence, and its order is not lost for
 * it.
 */
const maxTimeLength = 200
/** Most characters of addresses and tags: a unified address of Zcash has 213, a memo of EOS 256. */
const maxPlaceLength = 256
/** Most characters of texts for people and of URLs. */
const maxLooseLength = 2_000

/**
 * The text or number of a field whose loss could cost money; null where it is missing or null.
 *
 * @throws ParseError for any other type, and for more than 200 characters.
 */
function textField(record: JsonRecord, ...names: readonly string[]): string | null {
  return bounded(record, names, maxLength)
}

/** The same for an address or a tag, which may have 256 characters. @throws ParseError */
function placeField(record: JsonRecord, name: string): string | null {
  return bounded(record, [name], maxPlaceLength)
}

function bounded(record: JsonRecord, names: readonly string[], longest: number): string | null {
  for (const name of names) {
    const value = own(record, name)
    if (typeof value === 'string' && value.length > longest)
      throw new ParseError(`${name} has more than ${longest} characters`)
    if (typeof value === 'string' && value !== '') return value
    if (value !== undefined && value !== null && value !== '') throw new ParseError(`${name} is not a text`)
  }
  return null
}

/** Digits in groups of three, between which there is always the same, and perhaps a fraction. */
const inGroups = /^([1-9]\d{0,2}([ ,.'’\u00a0\u2009\u202f])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/

/**
 * An order's amount as JSON writes it, if it has one reading: spaces and a plus around it, groups of
 * digits and a decimal comma go. `1,234` has two readings, and stays as it was sent, as any other
 * text. Instructions are not read like this: a payer sends their amount.
 */
function amountField(record: JsonRecord, name: string): string | null {
  const text = textField(record, name)?.trim().replace(/^\+/, '') || null
  if (text === null || /^\d+(?:\.\d+)?$/.test(text)) return text
  const [, whole, separator = '', point, fraction] = inGroups.exec(text) ?? []
  const groups = whole?.split(separator) ?? []
  const isClear = point === undefined ? groups.length > 2 || !/[.,]/.test(separator) : point !== separator
  if (whole && isClear) return groups.join('') + (fraction === undefined ? '' : `.${fraction}`)
  return /^\d+,\d+$/.test(text) && groups.length === 0 ? text.replace(',', '.') : text
}

/** A field that no decision depends on: text or number; null for other types and longer texts. */
function looseText(record: JsonRecord, name: string, longest = maxLooseLength): string | null {
  const value = own(record, name)
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null
}

/** True or false, also as text; null for anything else. */
function looseBoolean(record: JsonRecord, name: string): boolean | null {
  const value = own(record, name)
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}

/** A whole number of zero or more; null for anything else. */
function looseCount(record: JsonRecord, name: string): number | null {
  const text = looseText(record, name)
  const count = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(count) ? count : null
}

/** The value of a field, never one of the object's prototype; else undefined. */
function own(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * The object itself, or the object inside its wrappers: `{"order":{…}}`, `{"data":{"order":{…}}}`.
 *
 * @param wrappers - The names of possible wrappers.
 * @param known - Fields that only the object itself has: an object with one of them is no wrapper.
 * @throws ParseError when there is no object.
 */
function unwrap(json: unknown, wrappers: readonly string[], known: readonly string[]): JsonRecord {
  let record = asRecord(json, 'body')
  for (let depth = 0; depth < 2 && !known.some((name) => own(record, name) !== undefined); depth += 1) {
    const outer = record
    const inner = wrappers.map((name) => own(outer, name)).find(isObject)
    if (inner === undefined) return record
    record = asRecord(inner, 'body')
  }
  return record
}

/** Whether an id can be a segment of a path: not `.` or `..`, printable, at most 200 characters. */
export function isUsableId(id: unknown): id is string {
  return (
    typeof id === 'string' &&
    id.length <= maxLength &&
    /^\P{C}+$/u.test(id) &&
    id.trim() !== '' &&
    id !== '.' &&
    id !== '..'
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An order without the times of its answer. */
type ParsedOrder = Omit<Order, 'timing'>

type ParsedPage = Omit<OrderPage, 'timing' | 'orders'> & { readonly orders: readonly ParsedOrder[] }

/** Fields that orders have, and errors have not. */
const ofOrders = ['source_asset', 'source_amount', 'target_asset', 'target_amount', 'wallet_address', 'created_at']

/**
 * Reads the details of one order.
 *
 * @param id - The id that was asked for. Details with another id are refused; capitals do not count,
 *   and the result has the service's, a UUID in small letters. Details without an id are accepted if they have a known
 *   status, because the interface does not document the body. An error may have a status of its
 *   own: it has a message, and nothing of an order.
 * @throws ParseError naming what is wrong.
 */
export function parseOrderDetails(json: unknown, id: string): ParsedOrder {
  const record = unwrap(json, ['order', 'data'], ['id', 'order_id'])
  const found = textField(record, 'id', 'order_id')
  const isError = own(record, 'message') !== undefined && !ofOrders.some((name) => own(record, name))
  if (found === null && (isError || readStatus(textField(record, 'status')) === null))
    throw new ParseError('neither an id nor an order with a known status is there')
  if (found !== null && found.toLowerCase() !== id.toLowerCase()) throw new ParseError('the order is another one')
  return found === null ? { ...readOrder(record, id, 'details'), isUnnamed: true } : readOrder(record, found, 'details')
}

/**
 * Reads a page of the list. Items that cannot be read are left out, and counted in `unreadable`.
 *
 * @throws ParseError when there is no list.
 */
export function parseOrderList(json: unknown): ParsedPage {
  const { items, about } = findList(json)
  const orders = items.map(readItem).filter((order) => order !== undefined)
  return {
    orders,
    unreadable: items.length - orders.length,
    page: about && looseCount(about, 'page'),
    size: about && looseCount(about, 'size'),
    totalPages: about && looseCount(about, 'total_pages'),
  }
}

/** The status of the service's word, in any case, also for `cancelled`; null for other words. */
function readStatus(word: string | null): OrderStatus | null {
  const status = word?.trim().toLowerCase()
  return status === 'cancelled' ? 'canceled' : (orderStatuses.find((each) => each === status) ?? null)
}

function findList(json: unknown): { items: readonly unknown[]; about: JsonRecord | null } {
  if (Array.isArray(json)) return { items: json, about: null }
  const about = unwrap(json, ['data'], ['orders'])
  const list = own(about, 'orders') ?? own(about, 'data') ?? null
  // A service without orders may write the list as null, or leave it out of the page.
  if (list === null && (own(about, 'orders') === null || isOfPage(about))) return { items: [], about }
  if (!Array.isArray(list)) throw new ParseError('orders is not a list')
  return { items: list, about }
}

/** Whether an object has the numbers of a page: otherwise it may be an error message. */
function isOfPage(about: JsonRecord): boolean {
  return ['page', 'size', 'total_pages'].some((name) => looseCount(about, name) !== null)
}

function readItem(json: unknown): ParsedOrder | undefined {
  try {
    const record = unwrap(json, ['order'], ['id', 'order_id'])
    const id = textField(record, 'id', 'order_id')
    return id === null || !isUsableId(id) ? undefined : readOrder(record, id, 'list')
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

function readOrder(record: JsonRecord, id: string, from: Order['from']): ParsedOrder {
  const statusText = textField(record, 'status')
  return {
    from,
    id: canonicalId(id),
    status: readStatus(statusText),
    statusText,
    subAccountId: textField(record, 'sub_account_id'),
    recipientEmail: looseText(record, 'recipient_email'),
    description: looseText(record, 'description'),
    sourceAsset: textField(record, 'source_asset'),
    sourceAmount: amountField(record, 'source_amount'),
    targetAsset: textField(record, 'target_asset'),
    targetAmount: amountField(record, 'target_amount'),
    network: textField(record, 'network', 'Network'),
    walletAddress: placeField(record, 'wallet_address'),
    tag: placeField(record, 'tag'),
    message: looseText(record, 'message'),
    createdAt: looseText(record, 'created_at', maxTimeLength),
    validUntil: looseText(record, 'valid_until', maxTimeLength),
  }
}

const ownFields = ['amount', 'wallet_address', 'asset', 'exp_time', 'date_time', 'deposit']

/**
 * Reads deposit instructions. A wrong type of amount, address, tag, network, asset or id is an
 * error, because a deposit without them could be lost. Other fields of a wrong type count as
 * absent, and so does an id that no path can hold.
 *
 * @throws ParseError that names the wrong field, or says that there are no instructions.
 */
export function parseInstructions(json: unknown): Omit<DepositInstructions, 'timing'> {
  const record = unwrap(json, ['order', 'data'], ownFields)
  if (!ownFields.some((name) => own(record, name) !== undefined))
    throw new ParseError('deposit instructions are missing')
  return {
    orderId: readId(record),
    amount: textField(record, 'amount'),
    asset: readAsset(record),
    dateTime: looseText(record, 'date_time', maxTimeLength),
    deposit: looseBoolean(record, 'deposit'),
    expTime: looseText(record, 'exp_time', maxTimeLength),
    message: looseText(record, 'message'),
    network: textField(record, 'network', 'Network'),
    tag: placeField(record, 'tag'),
    walletAddress: placeField(record, 'wallet_address'),
  }
}

/** The order's id. One that no path can hold counts as absent: it is not needed. */
function readId(record: JsonRecord): string | null {
  const id = [own(record, 'id'), own(record, 'order_id')].find((value) => value !== undefined && value !== null)
  if (typeof id === 'string' && id.length > 0 && !isUsableId(id)) return null
  const text = textField(record, 'id', 'order_id')
  return text === null ? null : canonicalId(text)
}

/** A UUID in small letters: services write one in capitals here and in small letters there. */
export function canonicalId(id: string): string {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? id.toLowerCase() : id
}

function readAsset(record: JsonRecord): AssetDescriptor | null {
  const value = own(record, 'asset')
  if (value === undefined || value === null || value === '') return null
  const asset: JsonRecord = typeof value === 'string' ? { symbol: value } : asRecord(value, 'asset')
  return {
    symbol: textField(asset, 'symbol'),
    name: looseText(asset, 'name'),
    type: looseText(asset, 'type'),
    smallImageUrl: looseText(asset, 'small_image_url'),
    mediumImageUrl: looseText(asset, 'medium_image_url'),
    largeImageUrl: looseText(asset, 'large_image_url'),
  }
}

/**
 * Reads a wallet record. The interface's schema has the keys `Network` and `type`, its example
 * `network` and `wallet_type`: both are accepted.
 *
 * @throws ParseError naming the field that is wrong. Without an id the wallet could not be deleted.
 */
export function parseWallet(json: unknown): Wallet {
  const record = unwrap(json, ['data', 'wallet_address', 'wallet'], ['id', 'address'])
  const id = textField(record, 'id')
  if (!isUsableId(id)) throw new ParseError('id is not there')
  return {
    id,
    name: looseText(record, 'name'),
    address: placeField(record, 'address'),
    asset: textField(record, 'asset'),
    network: textField(record, 'network', 'Network'),
    walletType: textField(record, 'wallet_type', 'type'),
    message: looseText(record, 'message'),
    createdAt: looseText(record, 'created_at'),
    updatedAt: looseText(record, 'updated_at'),
    deletedAt: textField(record, 'deleted_at'),
  }
}

/**
 * The `message` of a deletion's answer, or null.
 *
 * @throws ParseError when the answer is no object.
 */
export function parseDeletion(json: unknown): string | null {
  return looseText(unwrap(json, ['data'], ['message']), 'message')
}
