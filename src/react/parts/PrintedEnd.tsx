/**
 * What a printed page needs in place of a countdown: the end of the quote, with date and zone, and
 * the payment. Written only when the page is printed, because `Intl` is slow. Paper is scanned,
 * whatever device printed it.
 */
import { useRef, useSyncExternalStore } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { dateAndZone, writtenTime } from '../../locales/written.ts'
import { useSetting } from '../setting.ts'
import { QrPanel } from './QrPanel.tsx'
import { useTexts } from './use-texts.ts'
import type { Place } from './Where.tsx'

interface PrintedEndProps {
  readonly checkout: Checkout
  readonly place: Place
}

/**
 * Writes the lines. By the clock of the server: paper is read beside another clock than this
 * device's, which may be wrong. @param style - Of the time.
 */
export function useEndLines({ checkout }: PrintedEndProps, style?: Intl.DateTimeFormatOptions): () => string {
  const { locale } = useSetting()
  const texts = useTexts()
  return () => {
    const time = writtenTime(new Date(checkout.expiresAt), locale, { ...dateAndZone, ...style })
    return `${fill(texts.arriveBeforeDate, { time })}\n${fill(texts.checkoutId, { id: checkout.id })}`
  }
}

let wasPrinted = false

/**
 * On paper, in place of the countdown: when the quote ends, with date and zone; and the code, where
 * the panel has none.
 */
export function PrintedEnd(props: PrintedEndProps) {
  const lines = useEndLines(props)
  const end = useRef<HTMLParagraphElement>(null)
  // React draws what a store says before the page is printed, and a state only afterwards.
  const hasCode = useSyncExternalStore(
    (draw) => {
      const write = () => {
        wasPrinted = true
        if (end.current) end.current.textContent = lines()
        draw()
      }
      addEventListener('beforeprint', write)
      return () => removeEventListener('beforeprint', write)
    },
    () => wasPrinted && props.place !== 'other',
  )
  return (
    <div className="pw-print">
      {hasCode ? <QrPanel checkout={props.checkout} /> : null}
      <p ref={end} />
    </div>
  )
}
