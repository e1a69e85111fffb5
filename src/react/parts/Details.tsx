/**
 * What support asks for first, folded away until it is wanted.
 */
import type { ReactNode } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { useSetting } from '../setting.ts'
import { Say } from './Say.tsx'

export function Details({ checkout, children }: { checkout: Checkout; children?: ReactNode }) {
  const { texts } = useSetting()
  return (
    <details className="pw-details">
      <summary>{texts.details}</summary>
      <p>
        <Say text={texts.reference} values={{ reference: checkout.reference }} />
      </p>
      <p>
        <Say text={texts.checkoutId} values={{ id: checkout.id }} />
      </p>
      {children ? <p>{children}</p> : null}
    </details>
  )
}
