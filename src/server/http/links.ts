/**
 * Payment links: tokens that the merchant's code makes for a cart and sends to whoever is to pay it. A token is signed, so that
 * nothing is stored for it, and ends. The merchant's `offer` decides what a link may do.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64urlnopad } from '@scure/base'
import { PaywindowError } from '../../contract/errors.ts'
import type { OfferCallback, PaymentLink } from '../offers.ts'
import { type Ids, sameSecret } from '../records/ids.ts'
import type { Repository } from '../records/repository.ts'

interface LinkParts {
  /** Undefined where the merchant has set none: no link is believed. */
  readonly secret: string | undefined
  readonly repository: Pick<Repository, 'readCart' | 'updateCart'>
  readonly ids: Pick<Ids, 'secret'>
  readonly now: () => number
}

/** What a token says. */
export interface SignedLink extends PaymentLink {
  readonly reference: string
  /** The links of a cart that are revoked together; empty for the first. */
  readonly series: string
}

const cookieName = 'paywindow-link'
/** Older ones in one request are not looked at. */
const mostTokens = 20
const text = new TextEncoder()

/** Makes links, and reads what a request brings of them. */
export interface Links {
  /** A token for a cart. */
  make(reference: string, validForMs: number): Promise<SignedLink & { readonly token: string }>
  /** Ends all links of a cart that were made before. */
  revoke(reference: string): Promise<void>
  /** Null where the token is not ours or has ended. */
  read(token: string): SignedLink | null
  /** The same, and null where it was revoked. */
  readValid(token: string): Promise<SignedLink | null>
  /** `offer`, which is told of a link to this cart that the request brings. */
  telling(offer: OfferCallback): OfferCallback
}

/** Creates links. The first request of a page brings its token in the address, later ones in a cookie. */
export function createLinks({ secret, repository, ids, now }: LinkParts): Links {
  const sign = (payload: string) => base64urlnopad.encode(hmac(sha256, text.encode(secret), text.encode(payload)))

  const read: Links['read'] = (token) => {
    const at = token.lastIndexOf('.')
    if (secret === undefined || token.length > 1_000 || !sameSecret(sign(token.slice(0, at)), token.slice(at + 1)))
      return null
    const link = parsePayload(token.slice(0, at))
    return link.expiresAtMs > now() ? link : null
  }

  const readValid: Links['readValid'] = async (token) => {
    const link = read(token)
    if (!link) return null
    const { linkSeries = '' } = await repository.readCart(link.reference)
    return link.series === linkSeries ? link : null
  }

  return {
    make: async (reference, validForMs) => {
      if (secret === undefined) throw invalid('linkSecret is missing: 32 or more random characters sign payment links')
      if (!Number.isInteger(validForMs) || validForMs < 60_000 || validForMs > 366 * 86_400_000)
        throw invalid('validForMs must be a whole number of milliseconds, from a minute to 366 days')
      const { linkSeries: series = '' } = await repository.readCart(reference)
      const link = { id: ids.secret().slice(0, 12), reference, series, expiresAtMs: now() + validForMs }
      const payload = payloadOf(link)
      return { ...link, token: `${payload}.${sign(payload)}` }
    },
    revoke: async (reference) => {
      // No time: servers with other clocks make links, and revoke them.
      const linkSeries = ids.secret().slice(0, 8)
      await repository.updateCart(reference, (cart) => ({ ...cart, linkSeries }))
    },
    read,
    readValid,
    telling: (offer) => async (query) => {
      for (const token of tokensOf(query.request)) {
        if (read(token)?.reference !== query.reference) continue
        const link = await readValid(token)
        if (link) return offer({ ...query, link: { id: link.id, expiresAtMs: link.expiresAtMs } })
      }
      return offer(query)
    },
  }
}

/** The header `set-cookie` of a link, for the paths below an address. */
export function cookieOf(link: SignedLink, token: string, page: URL, nowMs: number): string {
  const path = page.pathname.replace(/[^/]*\/?$/, '')
  const seconds = Math.max(0, Math.floor((link.expiresAtMs - nowMs) / 1_000))
  const secure = page.protocol === 'https:' ? '; Secure' : ''
  return `${cookieName}-${link.id}=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Whether a browser has sent the cookie of a link back: it is no preview. */
export function hasCookie(header: string | null, { id }: SignedLink): boolean {
  return header?.includes(`${cookieName}-${id}=`) ?? false
}

function tokensOf(request: Request): readonly string[] {
  const cookies = request.headers.get('cookie') ?? ''
  const found = [...cookies.matchAll(/paywindow-link-[\w-]{12}=([\w.-]+)/g)].flatMap(([, token]) => token ?? [])
  const own = new URL(request.url).searchParams.get('link')
  // Browsers send the newest last.
  return [...(own === null ? [] : [own]), ...found.slice(-mostTokens)]
}

/** Short, because it also has to be a code that phones read from paper. */
function payloadOf({ id, reference, series, expiresAtMs }: SignedLink): string {
  return [id, base64urlnopad.encode(text.encode(reference)), series, expiresAtMs.toString(36)].join('.')
}

/** Of a payload that we have signed, so its form is ours. */
function parsePayload(payload: string): SignedLink {
  const [id = '', reference = '', series = '', expiresAt = ''] = payload.split('.')
  return {
    id,
    reference: new TextDecoder().decode(base64urlnopad.decode(reference)),
    series,
    expiresAtMs: Number.parseInt(expiresAt, 36),
  }
}

function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', message)
}
