/** What the desk says of a payment, for people who do not program. */
import type { Price } from '../../contract/checkout.ts'
import type { MerchantCheckout } from '../../server/views/merchant-view.ts'
import { receivedOf } from '../events.ts'
import { type Kind, kinds } from '../search.ts'

/** How much something asks for attention. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'calm'

/** A payment in a few words. */
export interface State {
  readonly words: string
  readonly tone: Tone
}

/** What counts first, if a payment is of several kinds. */
const first: readonly (readonly [Kind, Tone])[] = [
  ['taken-back', 'bad'],
  ['paid-twice', 'bad'],
  ['returned', 'calm'],
  ['short', 'warn'],
  ['over', 'warn'],
]

/** Whether the quote ends later. */
const isLive = ({ deposit }: MerchantCheckout, nowMs: number) =>
  deposit !== null && Date.parse(deposit.expiresAt) > nowMs

/** What a payment is, in a few words. */
export function stateOf(checkout: MerchantCheckout, of: readonly Kind[], nowMs: number): State {
  const found = first.find(([kind]) => of.includes(kind))
  if (found) return { words: kinds[found[0]], tone: found[1] }
  const { phase, arrival } = checkout
  if (phase === 'seen' && of.includes('late')) return { words: kinds.late, tone: 'warn' }
  if (phase === 'seen' && arrival?.kind === 'other') return { words: 'Another coin came', tone: 'warn' }
  // Nothing else is left that waits.
  if (of.includes('attention')) return { words: of.includes('untold') ? kinds.untold : kinds.unresolved, tone: 'warn' }
  switch (phase) {
    case 'paid':
    case 'paid_less':
    case 'paid_more':
      return { words: kinds.paid, tone: 'good' }
    case 'seen':
      return { words: kinds.seen, tone: 'info' }
    case 'ended':
      return { words: 'Canceled', tone: 'calm' }
    case 'waiting':
      return { words: isLive(checkout, nowMs) ? 'Waits for the payer' : 'Not paid', tone: 'calm' }
  }
}

/** An amount with every digit. */
export function amountText(price: Price | null | undefined): string {
  return price ? `${price.amount} ${price.asset}` : ''
}

/** What came, as far as it is known: in the currency of the price where the service says so. */
export function receivedText(checkout: MerchantCheckout): string {
  const received = receivedOf(checkout)
  return amountText(received?.price ?? received?.deposit)
}

/** What a person is to do. */
export interface Advice {
  readonly title: string
  readonly steps: readonly string[]
  /** Whether something is to be paid back: see `refund`. */
  readonly paysBack?: boolean
}

/** How to pay a payment back. */
export const refund: Advice = {
  title: 'To pay it back',
  steps: [
    'Paywindow holds no money and sends none: pay back from your account at the exchange service, or in another way that you and the payer agree on.',
    'Ask the payer where to send it. Never use the address that was paid to, which is the service’s, nor the one that the money came from, which may be an exchange’s.',
    'Say first whether you pay back the amount in the coin or its price: rates move.',
  ],
}

/** What to do about a payment; empty where nothing is. */
export function adviceOn(checkout: MerchantCheckout, of: readonly Kind[]): readonly Advice[] {
  const { phase, arrival, deposit, received } = checkout
  const all: (Advice | false)[] = [
    of.includes('taken-back') && {
      title: 'It was paid, and is not any more',
      steps: [
        'Send nothing more. If the goods are on their way, call them back, or ask the payer for another payment.',
        'Ask the service why it has taken the payment back. There is nothing to pay back.',
      ],
    },
    of.includes('paid-twice') && {
      title: 'This order was paid more than once',
      steps: ['Send the goods once, and pay the other payments back.'],
      paysBack: true,
    },
    phase === 'paid_less' && {
      title: `Less came than was asked for: ${amountText(received?.price ?? received?.deposit)}`,
      steps: ['Decide: send what was paid for, ask the payer for the rest, or pay it back.'],
      paysBack: true,
    },
    phase === 'paid_more' && {
      title: `More came than was asked for: ${amountText(received?.price ?? received?.deposit)}`,
      steps: [
        'Send the goods. Ask the service first whether it sends the rest back by itself, so that it does not go back twice.',
      ],
      paysBack: true,
    },
    phase === 'seen' &&
      arrival?.kind === 'short' && {
        title: `Less came than was asked for${arrival.due ? `: ${amountText(arrival.due)} is missing` : ''}`,
        steps: [
          'Send nothing yet. The service waits for the rest or sends the deposit back, and does so by itself.',
          'Do not pay anything back yourself while it does.',
        ],
      },
    phase === 'seen' &&
      arrival?.kind === 'over' && {
        title: 'More came than was asked for',
        steps: ['Send nothing yet: the payment is not confirmed. The service sends back what is too much by itself.'],
      },
    phase === 'seen' &&
      arrival?.kind === 'other' && {
        title: 'Another coin came than was asked for',
        steps: [
          'Send nothing. Only the service can send it back: write to its support, with the number of its order below.',
          'Do not pay anything back yourself.',
        ],
      },
    phase === 'seen' &&
      of.includes('late') && {
        title: 'The deposit came after its price had ended',
        steps: [
          'Send nothing yet. The service accepts it, asks for more, or sends it back, and does so by itself.',
          'Do not pay anything back yourself while it does.',
        ],
      },
    arrival?.kind === 'returning' && {
      title: 'The service sends the money back',
      steps: [
        'It does so by itself: do not pay it back a second time.',
        'The payer can pay the order again, by the same link and with a new price.',
      ],
    },
    of.includes('attention') &&
      of.includes('unresolved') && {
        title: 'The order of this payment at the service is not known',
        steps: [
          `Look for an order of ${deposit?.amount ?? ''} ${checkout.asset} to ${deposit?.address ?? ''} at the service.`,
          'If it is paid, or you know that it is this one, name it below. Your shop is told nothing before.',
        ],
      },
    of.includes('attention') &&
      of.includes('untold') && {
        title: 'Your shop has not taken what it was told',
        steps: [
          'Check that your shop is up, and that its address for events answers: below is what it said.',
          'The server tells it again by itself, for seven days. After that, press “Tell the shop again”.',
        ],
      },
  ]
  return all.filter((each) => each !== false)
}

/** What happened at the service. */
export function changeText({ status, phase }: MerchantCheckout['history'][number]): State {
  switch (phase) {
    case 'paid':
      return { words: 'Paid: the service has confirmed it', tone: 'good' }
    case 'seen':
      return status === 'confirmed'
        ? { words: 'The service has confirmed less than was asked for', tone: 'warn' }
        : { words: 'A deposit was seen', tone: 'info' }
    case 'ended':
      return { words: 'The service has canceled it', tone: 'calm' }
    case 'waiting':
      return { words: 'Open again: the service shows no deposit any more', tone: 'warn' }
  }
}
