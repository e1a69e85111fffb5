/**
 * Payment links: signed tokens that the merchant's code makes for a cart and sends to its payer.
 * They end, and nothing is stored for them. The merchant's `offer` decides what a link may do.
 *
 * A token is `payload.signature`: base64url of JSON, and HMAC-SHA-256 of that text under
 * `linkSecret`. `docs/links.md` has its claims, because shops in other languages make tokens too.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64urlnopad } from '@scure/base'
import { PaywindowError } from '../../contract/errors.ts'
import { asOptionalText, asRecord, asSeenText, asText, ParseError } from '../../contract/parse.ts'
import { asWebUrl } from '../../contract/parsers.ts'
import { policy } from '../core/policy.ts'
import type { CartEntry } from '../core/types.ts'
import { LinkEndedError, maxNumber, type OfferCallback, type PaymentLink, parsePrice } from '../offers.ts'
import { invalid } from '../options.ts'
import { type Ids, sameSecret } from '../records/ids.ts'
import type { Repository } from '../records/repository.ts'
import { type AskedAmount, parseAsked, readTyped } from './asked-amount.ts'
import { readReference } from './exchange.ts'

interface LinkParts {
  /** The first signs, all verify; empty if the option is not set. */
  readonly secrets: readonly string[]
  readonly repository: Pick<Repository, 'readCart' | 'updateCart'>
  readonly ids: Pick<Ids, 'secret'>
  readonly now: () => number
}

/** The claims of a token. */
export interface SignedLink extends PaymentLink {
  readonly token: string
  readonly reference: string
  /** The links of a series are revoked together; empty for the first series. */
  readonly series: string
  /** Whoever opens the link types an amount, and gets a link of its own for that. */
  readonly asks?: AskedAmount
}

/** The claims of a new token. */
type NewLink = Pick<SignedLink, 'reference' | 'price' | 'number' | 'returnUrl' | 'asks' | 'from'> & {
  readonly validForMs: number
}

/** A signature has 43 characters. Mails and chats add the text behind a link to it. */
const shape = /^([\w-]+)\.([\w-]{43})/
/** Line ends, spaces and quote marks of a wrapped mail: no token has them. */
const foreign = /[^\w.-]/g
const cookieName = 'paywindow-link'
/** The reference of a typed amount's cart is 13 characters longer. */
const longestAsking = 187
/** A phone can still read a code of the page's address with this token. */
const longestToken = 2_000
/** So many cookies of a request are read, the newest. */
const mostTokens = 20
/** Length of the links' cookies: with one more, and the shop's, they stay below a proxy's 8 KB. */
const mostInCookies = 4_000
/** A series has so many random characters, then the id of the cart's newest quote at that time. */
const randomLength = 8
const text = new TextEncoder()

/** Makes links, and reads those of a request. */
export type Links = ReturnType<typeof createLinks>

/**
 * Creates links. The first request of a page brings its token in the address, later ones in a
 * cookie.
 */
export function createLinks({ secrets, repository, ids, now }: LinkParts) {
  const sign = (payload: string, secret: string) =>
    base64urlnopad.encode(hmac(sha256, text.encode(secret), text.encode(payload)))

  /** Null where the token is not ours. It may have ended. */
  function read(token: string): SignedLink | null {
    const [, payload = '', signature = ''] = shape.exec(token.slice(0, 4_000).replace(foreign, '')) ?? []
    const isOurs = secrets.some((secret) => sameSecret(sign(payload, secret), signature))
    return isOurs ? parseClaims(payload, signature) : null
  }

  /** As `read`, and null for a token that has ended or was revoked. */
  async function readValid(token: string): Promise<SignedLink | null> {
    const link = read(token)
    if (!link || link.expiresAtMs <= now()) return null
    const { linkSeries = '' } = await repository.readCart(link.reference)
    return link.series === linkSeries ? link : null
  }

  /** Which quotes were made before a link ended. A cart lists its quotes oldest first. */
  async function quotesBefore({ reference, series, expiresAtMs }: SignedLink): Promise<LinkEndedError['covers']> {
    const { entries, linkSeries = '' } = await repository.readCart(reference)
    const last = linkSeries.slice(randomLength)
    const before = new Set(entries.slice(0, entries.findIndex(({ id }) => id === last) + 1).map(({ id }) => id))
    return ({ id, createdAtMs }) => createdAtMs < expiresAtMs && (series === linkSeries || before.has(id))
  }

  /**
   * A token for a cart.
   *
   * @throws PaywindowError `invalid_options`
   */
  async function make({ reference, validForMs, price, number, returnUrl, asks, from }: NewLink): Promise<SignedLink> {
    const [secret] = secrets
    if (secret === undefined) throw invalid('linkSecret is missing: 32 or more random characters sign payment links')
    if (!Number.isInteger(validForMs) || validForMs < 60_000 || validForMs > 366 * 86_400_000)
      throw invalid('validForMs must be a whole number of milliseconds, from a minute to 366 days')
    const { linkSeries } = await repository.readCart(reference)
    const exp = Math.ceil((now() + validForMs) / 1_000)
    const claims = { order: reference, exp, ...price, number, returnUrl, asks, from, series: linkSeries }
    const payload = base64urlnopad.encode(text.encode(JSON.stringify(claims)))
    const signature = sign(payload, secret)
    if (payload.length + signature.length >= longestToken)
      throw invalid(`The link has more than ${longestToken} characters, too many for a code: shorten returnUrl`)
    try {
      return parseClaims(payload, signature)
    } catch (error) {
      throw error instanceof PaywindowError ? invalid(error.message) : error
    }
  }

  return {
    make,
    /**
     * The link to pay an amount that was typed at a link; null if the link does not allow the
     * amount.
     */
    answer: async ({ reference, asks }: SignedLink, typed: string) => {
      const price = asks && readTyped(typed, asks)
      if (!price) return null
      const own = `${reference}.${ids.secret().slice(0, 12)}`
      return make({ reference: own, validForMs: policy.links.typedMs, price, from: reference })
    },
    /** Ends all links of a cart that were made before. */
    revoke: async (reference: string): Promise<void> => {
      // A random name and no time: the clocks of servers differ.
      const random = ids.secret().slice(0, randomLength)
      const seriesAfter = (quote: CartEntry | undefined) => `${random}${quote?.id ?? ''}`
      await repository.updateCart(reference, (cart) => ({ ...cart, linkSeries: seriesAfter(cart.entries.at(-1)) }))
    },
    read,
    readValid,
    /**
     * `offer` with the request's link to this cart. @throws LinkEndedError where `offer` returns null,
     * and the request's links to this cart have ended.
     */
    telling: (offer: OfferCallback) => async (query: Parameters<OfferCallback>[0]) => {
      let ended: SignedLink | undefined
      for (const token of tokensOf(query.request)) {
        const known = read(token)
        // A link that asks for an amount opens no cart.
        if (known?.reference !== query.reference || known.asks) continue
        const link = await readValid(token)
        if (!link) ended ??= known
        if (!link) continue
        const { token: _, reference, series, ...told } = link
        return offer({ ...query, link: told })
      }
      const offered = await offer(query)
      if (ended && !offered) throw new LinkEndedError(await quotesBefore(ended))
      return offered
    },
  }
}

/**
 * The header `set-cookie` of a link, for the paths below an address. The cookie may outlive the
 * link: then its payer still sees a quote that was shown.
 */
export function cookieOf(link: SignedLink, page: URL): string {
  const seconds = policy.links.cookieMs / 1_000
  const secure = page.protocol === 'https:' ? '; Secure' : ''
  return `${cookieName}-${link.id}=${link.token}; Path=${besides(page)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * Headers `set-cookie` that end the oldest cookies, before they exceed what a server takes.
 * @param header - The browser's cookies.
 */
export function endedCookies(header: string | null, { id }: SignedLink, page: URL): readonly string[] {
  let length = 0
  return cookiesIn(header)
    .reverse()
    .flatMap(([cookie, known]) => {
      if (known !== id) length += cookie.length
      return known === id || length <= mostInCookies
        ? []
        : [`${cookieName}-${known}=; Path=${besides(page)}; Max-Age=0`]
    })
}

/** The cookies with the id and token of each link. Browsers send the newest last. */
function cookiesIn(header: string | null) {
  return [...(header ?? '').matchAll(/paywindow-link-([\w-]{12})=([\w.-]*)/g)]
}

/** The folder of a page. */
function besides({ pathname }: URL): string {
  return pathname.replace(/[^/]*\/?$/, '')
}

/** Whether the link's cookie has come back: then the client is no preview. */
export function hasCookie(header: string | null, { id }: SignedLink): boolean {
  return header?.includes(`${cookieName}-${id}=`) ?? false
}

function tokensOf(request: Request): readonly string[] {
  const found = cookiesIn(request.headers.get('cookie')).flatMap(([, , token]) => token ?? [])
  const own = new URL(request.url).searchParams.get('link')
  // Of two links to one cart the newer has the present price.
  return [...(own === null ? [] : [own]), ...found.slice(-mostTokens).reverse()]
}

/** @throws PaywindowError `invalid_request`: the signature is right, and the claims are no link. */
function parseClaims(payload: string, signature: string): SignedLink {
  try {
    const claims = asRecord(JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload))), 'the link')
    const { order, exp, series, amount, asset, number, returnUrl, asks, from } = claims
    const reference = readReference(order)
    if (asks !== undefined && reference.length > longestAsking)
      throw new ParseError(`The reference of a link that asks has at most ${longestAsking} characters`)
    if (asks !== undefined && amount !== undefined) throw new ParseError('A link has a price, or asks for one')
    return {
      token: `${payload}.${signature}`,
      // An id, unlike the token, opens nothing.
      id: signature.slice(0, 12),
      reference,
      series: asOptionalText(series, 'series') ?? '',
      expiresAtMs: asSeconds(exp),
      // Unchanged, because the merchant compares it as text.
      ...(amount !== undefined && { price: { ...parsePrice({ amount, asset }), amount: asText(amount, 'amount') } }),
      ...(number !== undefined && { number: asSeenText(number, 'number', maxNumber) }),
      ...(returnUrl !== undefined && { returnUrl: asWebUrl(returnUrl, 'returnUrl') }),
      ...(asks !== undefined && { asks: parseAsked(asks) }),
      ...(from !== undefined && { from: asSeenText(from, 'from') }),
    }
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof SyntaxError)) throw error
    throw new PaywindowError('invalid_request', `The link is signed, but cannot be used: ${error.message}`)
  }
}

/** @returns Milliseconds since 1970. */
function asSeconds(exp: unknown): number {
  if (typeof exp !== 'number' || !(exp >= 0 && exp < 1e11)) throw new ParseError('exp is no time in seconds since 1970')
  return Math.round(exp * 1_000)
}
