/**
 * What is paid, to whom, and how long is left.
 */
import type { ReactNode } from 'react'
import { asIs } from '#as-is'
import { formatPrice } from '../../checkout/money.ts'
import type { Checkout, Offer, Price } from '../../contract/checkout.ts'
import { canonicalDecimal } from '../../contract/decimal.ts'
import { priceAfterForm } from '../../locales/forms.ts'
import { useSetting } from '../setting.ts'
import { emptyLine, useIdle } from './use-idle.ts'

/** What is known of the payer's order: from a checkout, or from the offer before there is one. */
export type Order = Pick<Checkout | Offer, 'price' | 'merchant' | 'description' | 'test'> &
  Partial<Pick<Checkout, 'viewOnly'>>

interface HeadProps {
  /** Null while it is not known; its space is kept. */
  readonly order: Order | null
  readonly logo?: ReactNode
  readonly children: ReactNode
}

/** Beside what is paid, the time left. */
export function Head({ order, logo, children }: HeadProps) {
  if (!order) return <div className="pw-head">{children}</div>
  const { price, merchant, description } = order
  return (
    <header className="pw-head" part="head">
      {logo}
      <div className="pw-order">
        <b className="pw-price">
          <PriceText price={price} />
        </b>
        <span className="pw-soft">
          {description ? (
            <>
              <bdi>{description}</bdi>
              <span> · </span>
            </>
          ) : null}
          <bdi {...asIs}>{merchant.name}</bdi>
        </span>
      </div>
      {children}
    </header>
  )
}

/** A price, as it is written in the widget's language. */
export function PriceText({ price }: { price: Price }) {
  const { locale, texts } = useSetting()
  const written = priceAfterForm(price.asset, canonicalDecimal(price.amount), locale, texts)
  const isIdle = useIdle(written)
  const text = written ?? (isIdle ? formatPrice(price, locale) : emptyLine)
  // Without the mark, a sign that follows letters is drawn before them from right to left.
  return (
    <bdi {...asIs} suppressHydrationWarning>
      {text.replace(/[A-Z]\W$/, '$&\u200e')}
    </bdi>
  )
}
