/**
 * The time left. Each second writes one text node and causes no render. The ring moves every twelve
 * seconds. The level of urgency is an attribute of the widget's root that the style sheet reads.
 */
import { useEffect, useRef } from 'react'
import { asIs } from '#as-is'
import { type AnnouncedAtMs, countdownText, dueAnnouncement, percentLeft, urgency } from '../../checkout/countdown.ts'
import type { PanelTexts } from '../../locales/en.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { useSetting } from '../setting.ts'
import { useDrawn } from '../use-drawn.ts'
import { useLatest } from '../use-latest.ts'
import { Ring } from './Ring.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'

/** The text for each time that screen readers hear. */
const saidAt = { 300000: 'said5', 60000: 'said1', 30000: 'said30' } as const satisfies Record<
  AnnouncedAtMs,
  keyof PanelTexts
>

type CountdownProps = Pick<PaywindowActions, 'onTick' | 'timeLeftMs' | 'endsAtMs'>

/**
 * The time left, with a ring. Updated once a second, and announced only at 5 minutes, 1 minute and
 * 30 seconds.
 */
export function Countdown({ onTick, timeLeftMs, endsAtMs }: CountdownProps) {
  const setting = useSetting()
  const latest = useLatest(setting)
  const digits = useRef<HTMLSpanElement>(null)
  const ring = useRef<SVGCircleElement>(null)

  useEffect(() => {
    let beforeMs: number | undefined
    return onTick((leftMs) => {
      const due = dueAnnouncement(beforeMs, leftMs)
      beforeMs = leftMs
      if (due !== null) latest.current.announce(latest.current.texts[saidAt[due]])
      const now = countdownText(leftMs)
      const text = digits.current?.firstChild
      // A browser's translator may have put an element there, which this removes.
      const place = text?.nodeType === 3 ? text : digits.current
      if (place && place.textContent !== now) place.textContent = now
      markAttributes(ring.current, leftMs)
    })
  }, [onTick, latest])

  const leftMs = timeLeftMs()
  // So that the page is laid out once.
  useDrawn(() => markAttributes(ring.current, timeLeftMs()), [timeLeftMs])
  const { texts } = setting
  return (
    <div className="pw-time" part="timer">
      <span className="pw-clock">
        <small aria-hidden="true">{texts.timeLeft}</small>
        <Ring drawn={ring} />
        <span ref={digits} role="timer" aria-label={texts.timeLeft} {...asIs} suppressHydrationWarning>
          {countdownText(leftMs)}
        </span>
      </span>
      <small>
        <TimeOfDay text={texts.arriveBefore} atMs={endsAtMs()} />
      </small>
    </div>
  )
}

/** Attributes rather than properties, because React and Preact name them differently. */
function markAttributes(ring: Element | null, leftMs: number): void {
  writeAttribute(ring, 'stroke-dasharray', `${percentLeft(leftMs)} 100`)
  writeAttribute(ring?.closest('.pw'), 'data-urgency', urgency(leftMs))
}

/** Writes an attribute only if its value changes: writing it would make the browser draw again. */
function writeAttribute(element: Element | null | undefined, name: string, value: string): void {
  if (element && element.getAttribute(name) !== value) element.setAttribute(name, value)
}
