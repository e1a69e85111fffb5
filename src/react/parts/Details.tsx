/**
 * What support asks for first, folded until it is opened.
 */
import type { ReactNode } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { Fold } from './Fold.tsx'
import { Say } from './Say.tsx'
import { useTexts } from './use-texts.ts'

/** The checkout's id, for whoever asks the shop; folded. */
export function Details({ checkout, children }: { checkout: Checkout; children?: ReactNode }) {
  const texts = useTexts()
  return (
    <Fold summary={texts.details}>
      <p>
        <Say text={texts.checkoutId} values={{ id: checkout.id }} />
      </p>
      {children ? <p>{children}</p> : null}
    </Fold>
  )
}
