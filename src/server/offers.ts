/** The merchant's `offer`: its result, and the check that this can be charged. */
import type { Merchant, Price } from '../contract/checkout.ts'
import { decimalPlaces, toAtomic } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import {
  allNetworks,
  assetDecimals,
  canonicalAsset,
  canonicalNetwork,
  knownNetwork,
  sameAsset,
  sameNetwork,
} from '../contract/networks/table.ts'
import { asInteger, asList, asOptionalText, asRecord, asSeenText, asText, ParseError } from '../contract/parse.ts'
import { asAmount, asWebUrl } from '../contract/parsers.ts'
import { evm } from './addresses/accounts.ts'

/**
 * A token of a network like Ethereum, as its issuer publishes it: its contract, and the digits
 * after the point that the contract counts.
 *
 * @example
 * ```ts
 * const dollars: Token = { contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }
 * ```
 */
export interface Token {
  readonly contract: string
  readonly decimals: number
}

/**
 * One way to pay, as the merchant offers it. `icon` is an `https` URL. This server fetches it,
 * never the browser.
 *
 * @example
 * ```ts
 * const method: Method = { asset: 'USDT', network: 'trc-20', name: 'Tether' }
 * ```
 */
export interface Method {
  readonly asset: string
  /** The service's name of the network, such as `bitcoin`, `erc-20`, `ripple`. */
  readonly network: string
  readonly name: string
  readonly icon?: string
  /** Lets payers pay it from a wallet in their browser. A network's own coin needs none. */
  readonly token?: Token
}

/** ISO 4217 codes as the runtime knows them. */
const fiatCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Longest number of an order, in characters. */
export const maxNumber = 64

/** The part of an offer that its checkout keeps. */
export interface OfferTerms {
  /** The merchant's money: `target_asset` and `target_amount` of the order. */
  readonly price: Price
  readonly merchant: Merchant
  readonly description?: string
  readonly orderNumber?: string
  readonly methodCount: number
}

/**
 * The result of `offer`: the payee, the price and the methods.
 *
 * @example
 * ```ts
 * const offer: MerchantOffer = {
 *   price: { asset: 'USD', amount: '49.90' },
 *   methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
 *   merchant: { name: 'Lantern Books' },
 * }
 * ```
 */
export interface MerchantOffer {
  readonly price: Price
  readonly methods: readonly Method[]
  readonly merchant: Merchant
  readonly description?: string
  /**
   * Your number of the order, for people: on the receipt, and in the details copied for support.
   */
  readonly orderNumber?: string
}

/**
 * The valid payment link that a visitor has opened. Your code made it for this reference, or for
 * the reference in `from`.
 *
 * @example
 * ```ts
 * const isSoonOver = ({ expiresAtMs }: PaymentLink) => expiresAtMs - Date.now() < 3_600_000
 * ```
 */
export interface PaymentLink {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
  /** From the link, or typed at a link that `asks` for it. */
  readonly price?: Price
  /** Your number of the order, for people, from the link. */
  readonly number?: string
  /** The address of your shop, from the link. */
  readonly returnUrl?: string
  /** The reference of the link that asked: each typed amount is a new cart. */
  readonly from?: string
}

/**
 * Gets the visitor's request, the reference of the cart, and the visitor's link to it, if there is
 * one. `null` refuses. `'paid'`, for a cart that your shop knows as paid, shows the payment from
 * the store.
 *
 * @example
 * ```ts
 * const carts = new Map([['cart-42', { total: '49.90', session: 'session=8f14e45f' }]])
 * const offer: OfferCallback = ({ reference, request }) => {
 *   const cart = carts.get(reference)
 *   if (!cart || cart.session !== request.headers.get('cookie')) return null
 *   return {
 *     price: { asset: 'USD', amount: cart.total },
 *     methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
 *     merchant: { name: 'Lantern Books' },
 *   }
 * }
 * ```
 */
export type OfferCallback = (query: {
  reference: string
  request: Request
  link?: PaymentLink
}) => Promise<Offered> | Offered

type Offered = MerchantOffer | 'paid' | null | undefined

/** An offer that passed the checks. */
export interface CheckedOffer {
  readonly terms: OfferTerms
  /** `price.amount` as `offer` wrote it; in `terms` it is canonical text. */
  readonly offeredAmount: string
  readonly methods: readonly Method[]
  /** Whether the cart gets no new quote: the terms are those of one that it has. */
  readonly isKept?: boolean
}

/** The visitor's links to the cart have ended, and `offer` returns null without them. */
export class LinkEndedError extends PaywindowError {
  /** Whether a quote was made before the link ended, so that its visitor may have seen it. */
  readonly covers: (quote: { readonly id: string; readonly createdAtMs: number }) => boolean
  constructor(covers: LinkEndedError['covers'] = () => false) {
    super('not_found', 'This link has ended')
    this.covers = covers
  }
}

/**
 * Asks the merchant's code for this visitor's offer.
 *
 * @throws PaywindowError `not_offered` where it returns null; `offer_invalid` where its offer
 *   cannot be charged.
 */
export async function askOffer(
  offer: OfferCallback,
  reference: string,
  request: Request,
): Promise<CheckedOffer | 'paid'> {
  const answer: unknown = await offer({ reference, request })
  if (answer === 'paid') return answer
  const nothing =
    'There is nothing to pay under this reference for this visitor. In a frame on another site, cookies arrive only with SameSite=None'
  if (answer === null || answer === undefined) throw new PaywindowError('not_offered', nothing)
  try {
    const record = asRecord(answer, 'offer')
    const methods = asList(record.methods, 'methods', 500).map(parseMethod)
    if (methods.length === 0) throw new ParseError('methods is empty')
    if (new Set(methods.map(methodId)).size < methods.length)
      throw new ParseError('methods has one asset and network twice')
    const terms = parseTerms({ ...record, methodCount: methods.length })
    refuseUnwritable(terms.price)
    // Not where terms are read that are stored: what was taken before stays readable.
    if (terms.orderNumber !== undefined) asSeenText(terms.orderNumber, 'orderNumber')
    return { terms, offeredAmount: asText(asRecord(record.price, 'price').amount, 'price.amount'), methods }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new PaywindowError('offer_invalid', `What offer returned cannot be used: ${error.message}`, { cause: error })
  }
}

/**
 * Refuses a price whose order would show another price, and never be found: rounding to the
 * currency's digits changes it too much, or the currency has spaces around it. @throws ParseError
 */
export function refuseUnwritable({ asset, amount }: Price): void {
  const most = currencyDecimals(asset) ?? Number.POSITIVE_INFINITY
  if (decimalPlaces(amount) > most && isChangedBy(amount, most))
    throw new ParseError(`price.amount is ${amount}, and ${asset.toUpperCase()} has ${most || 'no'} decimals`)
  if (asset.trim() !== asset) throw new ParseError('price.asset has a space around it')
}

/** Whether rounding to so many places changes an amount by more than `isRounded` allows. */
function isChangedBy(amount: string, places: number): boolean {
  const atomic = toAtomic(amount, decimalPlaces(amount))
  const unit = 10n ** BigInt(decimalPlaces(amount) - places)
  const rest = atomic % unit
  const change = 2n * rest < unit ? rest : unit - rest
  return places < 2 || change * 10_000n > atomic
}

/** Decimal places of a currency; undefined for what may be a crypto asset. */
export function currencyDecimals(asset: string): number | undefined {
  const currency = asset.toUpperCase()
  if (!fiatCodes.has(currency) || allNetworks().some(({ coins }) => coins?.includes(currency))) return undefined
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
}

/** The same text for the same asset and network, however they are spelt. */
export function methodId({ asset, network }: Pick<Method, 'asset' | 'network'>): string {
  return `${canonicalAsset(asset, network)} ${canonicalNetwork(network)}`
}

/** Whether two texts of `methodId` mean the same. An earlier version may have stored one. */
export function sameMethod(left: string, right: string): boolean {
  const rewritten = (id: string) => {
    const [asset = '', ...network] = id.split(' ')
    return methodId({ asset, network: network.join(' ') })
  }
  return rewritten(left) === rewritten(right)
}

/** An error names no more methods than this: a cart may have hundreds. */
const mostNamed = 10

/** The offered method with this asset and network. @throws PaywindowError `method_not_offered` */
export function pickMethod(methods: readonly Method[], asset: string, network: string): Method {
  const method = methods.find((each) => sameNetwork(each.network, network) && sameAsset(each.asset, asset, network))
  if (method) return method
  const some = methods.slice(0, mostNamed).map((one) => `${one.asset} on ${one.network}`)
  const others = methods.length > mostNamed ? ' and others' : ''
  const what = `This cart cannot be paid with ${asset} on ${network}: choose ${some.join(', ')}${others}`
  throw new PaywindowError('method_not_offered', what)
}

/**
 * On known networks a coin may have a currency's code: MNT of Mantle is no tugrik.
 *
 * @throws PaywindowError `asset_not_crypto`: nobody can deposit a fiat currency at an address.
 */
export function refuseFiat(method: Method): void {
  if (knownNetwork(method.network) || !fiatCodes.has(method.asset.toUpperCase())) return
  const what = `${method.asset} is a fiat currency, which has no wallet address for deposits. Offer a crypto asset`
  throw new PaywindowError('asset_not_crypto', what)
}

/** @throws ParseError */
export function parseMethod(value: unknown): Method {
  const method = asRecord(value, 'method')
  const icon = method.icon === undefined ? undefined : asWebUrl(method.icon, 'method.icon')
  return {
    asset: asText(method.asset, 'method.asset', 32),
    network: asText(method.network, 'method.network', 64),
    name: asText(method.name, 'method.name', 64),
    ...(icon !== undefined && { icon }),
    ...(method.token !== undefined && { token: parseToken(method) }),
  }
}

/** A wrong contract or decimals send another token, or another amount of it. @throws ParseError */
function parseToken({ asset, network, token }: Readonly<Record<string, unknown>>): Token {
  const fields = asRecord(token, 'method.token')
  const contract = asText(fields.contract, 'method.token.contract', 42)
  const decimals = asInteger(fields.decimals, 'method.token.decimals')
  if (evm(contract) === 'invalid')
    throw new ParseError('method.token.contract is no address of Ethereum, or its checksum is wrong')
  if (decimals < 0 || decimals > 36) throw new ParseError('method.token.decimals is not from 0 to 36')
  const known = knownNetwork(`${network}`)
  if (known?.chainId === undefined)
    throw new ParseError(`method.token is for networks like Ethereum, not for ${network}`)
  if (known.coins?.includes(`${asset}`.toUpperCase()))
    throw new ParseError(`method.token is for tokens, and ${asset} is the coin of ${network}`)
  const decimalsHere = assetDecimals(`${asset}`, `${network}`)
  if (decimalsHere !== undefined && decimalsHere !== decimals)
    throw new ParseError(`method.token.decimals is ${decimals}, and ${asset} on ${network} has ${decimalsHere}`)
  return { contract, decimals }
}

/** @throws ParseError */
export function parsePrice(value: unknown): Price {
  const price = asRecord(value, 'price')
  const amount = asAmount(price.amount, 'price.amount')
  if (decimalPlaces(amount) > 18) throw new ParseError('price.amount has more than 18 decimals')
  return { asset: asText(price.asset, 'price.asset', 32), amount }
}

/** @throws ParseError */
export function parseTerms(value: unknown): OfferTerms {
  const terms = asRecord(value, 'offer')
  const price = parsePrice(terms.price)
  const merchant = asRecord(terms.merchant, 'merchant')
  const description = asOptionalText(terms.description, 'description')
  const orderNumber = asOptionalText(terms.orderNumber, 'orderNumber', maxNumber)
  return {
    price,
    merchant: {
      name: asText(merchant.name, 'merchant.name'),
      ...(merchant.returnUrl !== undefined && { returnUrl: asWebUrl(merchant.returnUrl, 'merchant.returnUrl') }),
      ...(merchant.supportUrl !== undefined && { supportUrl: asWebUrl(merchant.supportUrl, 'merchant.supportUrl') }),
    },
    ...(description !== undefined && { description }),
    ...(orderNumber !== undefined && { orderNumber }),
    methodCount: asInteger(terms.methodCount, 'methodCount'),
  }
}
