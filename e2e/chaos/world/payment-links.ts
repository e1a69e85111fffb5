/** The payment links that the merchant has made, and what a page may show to whom. */
import type { SegmentPlan } from './plan.ts'
import type { VirtualTime } from './time.ts'
import type { Cart, PaymentLinks } from './types.ts'

/** Servers whose clocks nobody sets end a link within this time of each other. */
const clocksApartMs = 600

interface KnownLink {
  readonly reference: string
  readonly expiresAtMs: number
  revokedAtMs: number | undefined
}

/** Knows of no link yet. */
export function createPaymentLinks(
  { clocksSet }: SegmentPlan,
  { nowMs }: VirtualTime,
  carts: ReadonlyMap<string, Cart>,
): PaymentLinks {
  const links = new Map<string, KnownLink>()
  // As cookies name it.
  const idOf = (token: string) => token.split('.')[1]?.slice(0, 12) ?? ''

  /** Whether every server has to take it for over. Where clocks are set, none knows the time. */
  function isOver({ expiresAtMs, revokedAtMs = Number.POSITIVE_INFINITY }: KnownLink, atMs: number): boolean {
    return atMs > revokedAtMs || (clocksSet === 'service' && atMs > expiresAtMs + clocksApartMs)
  }

  /** Where clocks are set, none knows what was made before. */
  const endOf = ({ expiresAtMs, revokedAtMs = Number.POSITIVE_INFINITY }: KnownLink) =>
    clocksSet === 'service' ? Math.min(expiresAtMs, revokedAtMs) + clocksApartMs : Number.POSITIVE_INFINITY

  return {
    note: (token, { reference, expiresAtMs }) =>
      void links.set(idOf(token), { reference, expiresAtMs, revokedAtMs: undefined }),
    noteRevoked: (reference) => {
      for (const link of links.values()) if (link.reference === reference) link.revokedAtMs ??= nowMs()
    },
    rights: ({ search, cookie, reference }, atMs) => {
      const cookies = cookie.split('; ').map((each) => /^paywindow-link-([^=]*)=/.exec(each)?.[1])
      const query = new URLSearchParams(search)
      const named = query.get('link')
      const link = links.get(idOf(named ?? ''))
      const isPreview = named !== null && !cookies.includes(idOf(named))
      if (named !== null && (!link || isPreview || !isOver(link, atMs))) {
        const sees = !link || isOver(link, atMs) ? 'nothing' : isPreview ? 'offer' : 'all'
        return { reference: link?.reference ?? reference, sees }
      }
      const asked = link?.reference ?? query.get('reference') ?? reference
      const session = carts.get(asked)?.session
      const isOwn = session === undefined || cookie.split('; ').includes(session)
      const known = cookies.flatMap((id) => links.get(id ?? '') ?? []).filter((each) => each.reference === asked)
      const isLinked = known.some((each) => !isOver(each, atMs))
      const sees = isOwn || isLinked ? 'all' : 'nothing'
      return { reference: asked, sees, beforeMs: Math.max(...known.map(endOf)) }
    },
  }
}
