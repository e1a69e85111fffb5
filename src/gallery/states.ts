/**
 * Every state of the widget, with what a merchant server would have answered.
 */
import { offerFixture } from '../checkout/fixture.ts'
import type { View } from '../checkout/view.ts'
import type { Arrival, Checkout, Method, Offer, Price } from '../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import { coinIcon, networkFields } from '../server/icons/coins/coin-icons.ts'
import type { SessionState } from '../session/state.ts'
import { galleryMerchant, galleryMethods } from './methods.ts'

/** One state to look at. `leftMs` is the time left that its countdown shows. */
export interface GalleryState extends Partial<Omit<SessionState, 'view'>> {
  readonly name: string
  readonly view: View
  readonly leftMs?: number
}

const methods = [
  method('BTC', 'bitcoin', 'Bitcoin'),
  method('ETH', 'erc-20', 'Ether'),
  method('USDC', 'erc-20', 'USD Coin'),
  method('XRP', 'ripple', 'XRP'),
]

const moreMethods = [
  ...methods,
  method('USDT', 'trc-20', 'Tether'),
  method('SOL', 'solana', 'Solana'),
  method('LTC', 'litecoin', 'Litecoin'),
  method('TON', 'ton', 'Toncoin'),
  method('XLM', 'stellar', 'Stellar Lumens'),
]

const seenHistory: Checkout['history'] = [
  { status: 'open', phase: 'waiting', at: '2026-11-21T09:22:00.000Z' },
  { status: 'pending', phase: 'seen', at: '2026-11-21T09:31:00.000Z' },
]
const paidHistory: Checkout['history'] = [
  ...seenHistory,
  { status: 'confirmed', phase: 'paid', at: '2026-11-21T09:43:00.000Z' },
]

const offer = (changes: Partial<Offer> = {}): View => ({
  kind: 'choosing',
  offer: { ...offerFixture, description: 'Order 42', merchant: galleryMerchant, methods, ...changes },
})

const waiting = (checkout: Checkout): View => ({ kind: 'waiting', checkout })
const expired = (checkout: Checkout): View => ({ kind: 'expired', checkout })
const refused = (code: PaywindowErrorCode): View => ({
  kind: 'refused',
  error: new PaywindowError(code, code, { incident: '7K3M9Q' }),
})
const unreachable = (code: PaywindowErrorCode): View => ({ kind: 'unreachable', error: new PaywindowError(code, code) })

/** All states. @param method - A symbol of `galleryMethods`; any other text means Bitcoin. */
export function galleryStates(method: string): readonly GalleryState[] {
  const { BTC, ETH, USDC, XRP, TON } = galleryMethods
  const checkout = Object.entries(galleryMethods).find(([symbol]) => symbol === method)?.[1] ?? BTC
  const seen: Checkout = { ...checkout, phase: 'seen', status: 'pending', cart: 'seen', history: seenHistory }
  const ended: Checkout = { ...checkout, phase: 'ended', status: 'canceled' }
  const price = (amount: string): Price => ({ asset: 'BTC', amount })
  const asked = price(BTC.amount)
  const arrived = (kind: Arrival['kind'], amounts: Omit<Arrival, 'kind'>): View => ({
    kind: 'seen',
    checkout: { ...seen, arrival: { kind, ...amounts } },
  })
  return [
    { name: 'preparing', view: { kind: 'preparing' } },
    { name: 'choosing', view: offer() },
    { name: 'choosing-many', view: offer({ methods: moreMethods }), canGoBack: true },
    { name: 'choosing-picked', view: offer(), pending: { kind: 'choose', asset: 'ETH', network: 'erc-20' } },
    { name: 'choosing-failed', view: offer(), actionError: new PaywindowError('service_refused', 'refused') },
    { name: 'waiting', view: waiting(checkout) },
    { name: 'waiting-ether', view: waiting(ETH) },
    { name: 'waiting-token', view: waiting(USDC) },
    { name: 'waiting-tag', view: waiting(XRP), leftMs: 725_900 },
    { name: 'waiting-comment', view: waiting(TON) },
    { name: 'waiting-soon', view: waiting(checkout), leftMs: 245_500 },
    { name: 'waiting-last', view: waiting(XRP), leftMs: 95_500 },
    { name: 'waiting-offline', view: waiting(checkout), trouble: 'lost' },
    { name: 'waiting-earlier', view: waiting({ ...checkout, earlier: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }) },
    { name: 'waiting-untracked', view: waiting({ ...checkout, tracked: false, methodCount: 1 }) },
    { name: 'waiting-test', view: waiting({ ...checkout, test: true }) },
    { name: 'waiting-view-only', view: waiting({ ...checkout, viewOnly: true }) },
    { name: 'expired', view: expired(checkout) },
    { name: 'expired-busy', view: expired(checkout), pending: { kind: 'renew' } },
    { name: 'expired-failed', view: expired(checkout), actionError: new PaywindowError('service_unavailable', 'busy') },
    { name: 'seen', view: { kind: 'seen', checkout: seen } },
    { name: 'seen-exact', view: arrived('exact', { received: asked }) },
    { name: 'seen-short', view: arrived('short', { received: price('0.0005'), due: price('0.00073456') }) },
    { name: 'seen-over', view: arrived('over', { received: price('0.002'), returned: price('0.00076544') }) },
    { name: 'seen-other', view: arrived('other', { received: { asset: 'LTC', amount: '1.25' } }) },
    { name: 'seen-late', view: arrived('late', { received: asked }) },
    {
      name: 'returning',
      view: { kind: 'ended', checkout: { ...ended, arrival: { kind: 'returning', returned: asked } } },
    },
    {
      name: 'paid',
      view: {
        kind: 'paid',
        checkout: { ...seen, phase: 'paid', status: 'confirmed', cart: 'paid', history: paidHistory },
      },
    },
    { name: 'ended', view: { kind: 'ended', checkout: ended } },
    { name: 'settled-seen', view: { kind: 'settledElsewhere', checkout: { ...checkout, cart: 'seen' }, cart: 'seen' } },
    { name: 'settled-paid', view: { kind: 'settledElsewhere', checkout: { ...checkout, cart: 'paid' }, cart: 'paid' } },
    { name: 'unreachable', view: unreachable('unreachable') },
    { name: 'busy', view: unreachable('service_unavailable') },
    { name: 'limited', view: unreachable('rate_limited') },
    { name: 'refused', view: refused('service_refused') },
    { name: 'refused-unknown', view: refused('not_offered') },
    { name: 'refused-view-ended', view: refused('not_found') },
    { name: 'refused-forgotten', view: { kind: 'refused', error: new PaywindowError('not_found', 'gone'), checkout } },
    { name: 'refused-setup', view: refused('forbidden_origin') },
  ]
}

function method(asset: string, network: string, name: string): Method {
  const icon = coinIcon(asset)
  return { asset, network, name, ...(icon && { icon }), ...networkFields(network) }
}
