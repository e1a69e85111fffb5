/**
 * The link back to the shop, if the merchant gave one.
 */
import type { Merchant } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { useTexts } from './use-texts.ts'

/** The link back to the merchant. */
export function ReturnLink({ merchant }: { merchant: Merchant }) {
  const texts = useTexts()
  if (!merchant.returnUrl) return null
  return (
    <a className="pw-button" part="button" href={merchant.returnUrl}>
      {fill(texts.backTo, { merchant: merchant.name })}
    </a>
  )
}
