/** Reads requests as strictly as the service's reference states, and else as its examples show. */
import { orderStatuses } from '../contract/checkout.ts'
import { canonicalDecimal, decimalPlaces } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { JsonRecord } from '../contract/parse.ts'
import { findAsset, type SandboxAsset } from './assets.ts'
import type { NewOrder } from './ledger.ts'
import type { SandboxSettings } from './options.ts'

/** A refusal of the service. It is answered with this HTTP status and `{ message }`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const orderings = ['id', 'recipient_email', 'description', 'created_at', 'status'] as const

/** The query of the order list. */
export interface ListQuery {
  readonly status: string | null
  readonly search: string | null
  readonly orderBy: (typeof orderings)[number]
  readonly page: number
  readonly size: number
}

/** Reads the JSON object of a body. Its values are not checked. */
export async function readBody(request: Request): Promise<JsonRecord> {
  let json: unknown
  try {
    json = JSON.parse(await request.text())
  } catch {
    throw new Refusal(400, 'The body is not JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Refusal(400, 'The body is not a JSON object')
  }
  return Object.fromEntries(Object.entries(json))
}

/** Reads a text that is required. */
export function requiredText(body: JsonRecord, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value.trim() === '') throw new Refusal(400, `${name} is required`)
  return value
}

/** Reads the body of `POST /v1/order/exchange`. */
export function readNewOrder(body: JsonRecord, subAccountId: string, settings: SandboxSettings): NewOrder {
  const network = optionalText(body, 'network')
  const source = quoted(tradedAsset(requiredText(body, 'source_asset'), network, 'source_asset'), settings)
  const target = quoted(tradedAsset(requiredText(body, 'target_asset'), undefined, 'target_asset'), settings)
  if (source.symbol === target.symbol) throw new Refusal(400, 'source_asset and target_asset are the same')
  const poolBalance = body.pool_balance
  if (poolBalance !== undefined && poolBalance !== null && typeof poolBalance !== 'boolean') {
    throw new Refusal(400, 'pool_balance must be true or false')
  }
  return { subAccountId, source, target, amount: readAmount(body, source, target), recipientEmail: '', description: '' }
}

/** Reads the query of `GET /v1/order`. */
export function readListQuery(query: URLSearchParams, settings: SandboxSettings): ListQuery {
  const status = query.get('status') || null
  if (status !== null && !orderStatuses.some((word) => word === status)) throw new Refusal(400, 'status is not known')
  if (status !== null && settings.statusFilter === 'refused') throw new Refusal(400, 'status is not supported')
  const wanted = query.get('order_by') || 'created_at'
  const orderBy = orderings.find((word) => word === wanted)
  if (orderBy === undefined) throw new Refusal(400, 'order_by is not known')
  const page = wholeNumber(query, 'page', 0)
  if (page < settings.firstPage && settings.pageBelowFirst === 'refused') {
    throw new Refusal(400, `page must be at least ${settings.firstPage}`)
  }
  return {
    status,
    search: query.get('search') || null,
    orderBy,
    page: Math.max(page, settings.firstPage),
    size: Math.min(wholeNumber(query, 'size', 1), settings.maxPageSize),
  }
}

/** Decodes a part of a path. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal(400, 'The path is not encoded correctly')
  }
}

/** Reads an amount: text, or a number that is short enough for a double to keep all its digits. */
export function amountText(value: unknown, field: string): string {
  const text = String(value)
  if (typeof value === 'string' || (typeof value === 'number' && text.replace(/\D/g, '').length <= 15)) return text
  throw new Refusal(400, `${field} must be a decimal text`)
}

/** Finds an asset. @throws Refusal if the service does not trade it. */
export function tradedAsset(symbol: string, network: string | undefined, field: string): SandboxAsset {
  if (!findAsset(symbol)) throw new Refusal(400, `${field} ${clip(symbol)} is not supported`)
  const asset = findAsset(symbol, network)
  if (!asset) throw new Refusal(400, `${clip(symbol)} is not supported on the network ${clip(network ?? '')}`)
  return asset
}

/** The reference's schema has text. Its example has numbers, and 0 for a missing amount. */
function readAmount(body: JsonRecord, source: SandboxAsset, target: SandboxAsset): NewOrder['amount'] {
  const sourceAmount = optionalAmount(body, 'source_amount', source)
  const targetAmount = optionalAmount(body, 'target_amount', target)
  if (sourceAmount !== null && targetAmount !== null) {
    throw new Refusal(400, 'source_amount and target_amount cannot both be set')
  }
  if (sourceAmount !== null) return { source: sourceAmount }
  if (targetAmount !== null) return { target: targetAmount }
  throw new Refusal(400, 'source_amount or target_amount is required')
}

function optionalAmount(body: JsonRecord, name: string, asset: SandboxAsset): string | null {
  const value = body[name]
  if (value === undefined || value === null || value === '') return null
  const text = amountText(value, name)
  try {
    const amount = canonicalDecimal(text)
    if (amount === '0') return null
    if (decimalPlaces(amount) <= asset.decimals && amount.length <= 40) return amount
  } catch (error) {
    if (!(error instanceof PaywindowError)) throw error
  }
  throw new Refusal(400, `${name} is not an amount of ${asset.symbol}`)
}

function optionalText(body: JsonRecord, name: string): string | undefined {
  const value = body[name]
  return value === undefined || value === null || value === '' ? undefined : requiredText(body, name)
}

function quoted(asset: SandboxAsset, settings: SandboxSettings): SandboxAsset {
  return { ...asset, quoteDecimals: settings.quoteDecimals[asset.symbol] ?? asset.quoteDecimals }
}

function wholeNumber(query: URLSearchParams, name: string, min: number): number {
  const text = query.get(name) ?? ''
  if (!/^\d{1,9}$/.test(text) || Number(text) < min)
    throw new Refusal(400, `${name} must be a whole number of at least ${min}`)
  return Number(text)
}

function clip(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
