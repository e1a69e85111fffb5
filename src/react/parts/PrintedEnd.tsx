/**
 * What a printed page needs in place of a countdown: the end of the quote, with date and zone, and the payment. Written only when
 * the page is printed, because `Intl` is slow.
 */
import { useEffect, useRef } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { dateAndZone, writtenTime } from '../../locales/written.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { useSetting } from '../setting.ts'
import { useTexts } from './use-texts.ts'

/** On paper, in place of the countdown: when the quote ends, with date and zone. */
export function PrintedEnd({ checkout, endsAtMs }: { checkout: Checkout } & Pick<PaywindowActions, 'endsAtMs'>) {
  const { locale } = useSetting()
  const texts = useTexts()
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const write = () => {
      const time = writtenTime(new Date(endsAtMs()), locale, dateAndZone)
      const lines = [fill(texts.arriveBeforeDate, { time }), fill(texts.checkoutId, { id: checkout.id })]
      if (place.current) place.current.textContent = lines.join('\n')
    }
    addEventListener('beforeprint', write)
    return () => removeEventListener('beforeprint', write)
  }, [checkout, endsAtMs, locale, texts])
  return <p className="pw-print" ref={place} />
}
