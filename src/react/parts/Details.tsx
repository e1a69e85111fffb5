/**
 * What support asks for first, folded until it is opened.
 */
import type { ReactNode } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { Fold } from './Fold.tsx'
import { Say } from './Say.tsx'
import { useTexts } from './use-texts.ts'

/** Address, tag and amount, to be copied; with a tag as numbered steps. */
export function Details({ checkout, children }: { checkout: Checkout; children?: ReactNode }) {
  const texts = useTexts()
  return (
    <Fold summary={texts.details}>
      <p>
        <Say text={texts.reference} values={{ reference: checkout.reference }} />
      </p>
      <p>
        <Say text={texts.checkoutId} values={{ id: checkout.id }} />
      </p>
      {children ? <p>{children}</p> : null}
    </Fold>
  )
}
