/**
 * Every state of the widget, with what a merchant server would have said. The addresses are public test vectors.
 */
import { checkoutFixture } from '../checkout/fixture.ts'
import type { View } from '../checkout/view.ts'
import type { Checkout, Method, Offer } from '../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import type { SessionState } from '../react/session.ts'

/** One state to look at. `leftMs` is the time its countdown stands at. */
export interface GalleryState extends Partial<Omit<SessionState, 'view'>> {
  readonly name: string
  readonly view: View
  readonly leftMs?: number
}

const merchant = {
  name: 'Lantern Books',
  returnUrl: 'https://lantern.example/orders/42',
  supportUrl: 'https://lantern.example/help',
}

const methods: readonly Method[] = [
  { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
  { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  { asset: 'USDC', network: 'erc-20', name: 'USD Coin' },
  { asset: 'XRP', network: 'ripple', name: 'XRP' },
]

const moreMethods: readonly Method[] = [
  ...methods,
  { asset: 'USDT', network: 'trc-20', name: 'Tether' },
  { asset: 'SOL', network: 'solana', name: 'Solana' },
  { asset: 'LTC', network: 'litecoin', name: 'Litecoin' },
  { asset: 'TON', network: 'ton', name: 'Toncoin' },
  { asset: 'XLM', network: 'stellar', name: 'Stellar Lumens' },
]

const bitcoin = (changes: Partial<Checkout> = {}) => checkoutFixture({ merchant, ...changes })

const ether = bitcoin({
  amount: '0.012345678901234567',
  asset: { symbol: 'ETH', name: 'Ether' },
  network: 'erc-20',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
})

const dollar = bitcoin({
  amount: '49.93',
  asset: { symbol: 'USDC', name: 'USD Coin' },
  network: 'erc-20',
  address: '0xde709f2102306220921060314715629080e2fb77',
})

const xrp = bitcoin({
  amount: '22.841',
  asset: { symbol: 'XRP', name: 'XRP' },
  network: 'ripple',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  tag: '4087552241',
})

const ton = bitcoin({
  amount: '9.214',
  asset: { symbol: 'TON', name: 'Toncoin' },
  network: 'ton',
  address: 'EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG',
  tag: 'order-7781',
})

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
  offer: {
    v: 1,
    reference: 'cart-42',
    price: { asset: 'USD', amount: '49.9' },
    description: 'Order 42',
    merchant,
    methods,
    cart: 'open',
    test: false,
    ...changes,
  },
})

const waiting = (checkout: Checkout): View => ({ kind: 'waiting', checkout })
const seen = bitcoin({ phase: 'seen', status: 'pending', cart: 'seen', history: seenHistory })
const refused = (code: PaywindowErrorCode): View => ({ kind: 'refused', error: new PaywindowError(code, code) })
const unreachable = (code: PaywindowErrorCode): View => ({ kind: 'unreachable', error: new PaywindowError(code, code) })

export const galleryStates: readonly GalleryState[] = [
  { name: 'preparing', view: { kind: 'preparing' } },
  { name: 'choosing', view: offer() },
  { name: 'choosing-many', view: offer({ methods: moreMethods }), canGoBack: true },
  { name: 'choosing-picked', view: offer(), pending: { kind: 'choose', asset: 'ETH', network: 'erc-20' } },
  { name: 'choosing-failed', view: offer(), actionError: new PaywindowError('service_refused', 'refused') },
  { name: 'waiting', view: waiting(bitcoin()) },
  { name: 'waiting-ether', view: waiting(ether) },
  { name: 'waiting-token', view: waiting(dollar) },
  { name: 'waiting-tag', view: waiting(xrp), leftMs: 725_900 },
  { name: 'waiting-comment', view: waiting(ton) },
  { name: 'waiting-soon', view: waiting(bitcoin()), leftMs: 245_500 },
  { name: 'waiting-last', view: waiting(xrp), leftMs: 95_500 },
  { name: 'waiting-offline', view: waiting(bitcoin()), trouble: 'lost' },
  { name: 'waiting-untracked', view: waiting(bitcoin({ tracked: false, methodCount: 1 })) },
  { name: 'waiting-test', view: waiting(bitcoin({ test: true })) },
  { name: 'waiting-view-only', view: waiting(bitcoin({ viewOnly: true })) },
  { name: 'expired', view: { kind: 'expired', checkout: bitcoin() } },
  { name: 'expired-busy', view: { kind: 'expired', checkout: bitcoin() }, pending: { kind: 'renew' } },
  {
    name: 'expired-failed',
    view: { kind: 'expired', checkout: bitcoin() },
    actionError: new PaywindowError('service_unavailable', 'busy'),
  },
  { name: 'seen', view: { kind: 'seen', checkout: seen } },
  {
    name: 'paid',
    view: {
      kind: 'paid',
      checkout: { ...seen, phase: 'paid', status: 'confirmed', cart: 'paid', history: paidHistory },
    },
  },
  { name: 'ended', view: { kind: 'ended', checkout: bitcoin({ phase: 'ended', status: 'canceled' }) } },
  { name: 'settled-seen', view: { kind: 'settledElsewhere', checkout: bitcoin({ cart: 'seen' }), cart: 'seen' } },
  { name: 'settled-paid', view: { kind: 'settledElsewhere', checkout: bitcoin({ cart: 'paid' }), cart: 'paid' } },
  { name: 'unreachable', view: unreachable('unreachable') },
  { name: 'busy', view: unreachable('service_unavailable') },
  { name: 'limited', view: unreachable('rate_limited') },
  { name: 'refused', view: refused('service_refused') },
  { name: 'refused-unknown', view: refused('not_found') },
  { name: 'refused-setup', view: refused('forbidden_origin') },
]
