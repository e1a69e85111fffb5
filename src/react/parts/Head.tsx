/**
 * What is paid, to whom, and how long is left.
 */
import type { ReactNode } from 'react'
import { formatPrice } from '../../checkout/money.ts'
import type { Checkout, Offer } from '../../contract/checkout.ts'
import { useSetting } from '../setting.ts'
import { emptyLine, useIdle } from './useIdle.ts'

/** Where an order is known from: a checkout, or the offer before there is one. */
export type Order = Pick<Checkout | Offer, 'price' | 'merchant' | 'description'>

/** @param order - Null while it is not known; its place is kept. */
export function Head({ order, children }: { order: Order | null; children?: ReactNode }) {
  const { locale } = useSetting()
  const isIdle = useIdle()
  if (!order) return <div className="pw-head">{children}</div>
  const { price, merchant, description } = order
  return (
    <header className="pw-head" part="head">
      <div className="pw-order">
        <b className="pw-price">
          <bdi>{isIdle ? formatPrice(price, locale) : emptyLine}</bdi>
        </b>
        <span className="pw-soft">
          {description ? (
            <>
              <bdi>{description}</bdi> ·{' '}
            </>
          ) : null}
          <bdi>{merchant.name}</bdi>
        </span>
      </div>
      {children}
    </header>
  )
}
