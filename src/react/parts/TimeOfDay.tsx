/**
 * A time of day in the payer's language, in a sentence or alone.
 */
import { useState } from 'react'
import { timeAfterForm } from '../../locales/forms.ts'
import { writtenTime } from '../../locales/written.ts'
import { useSetting } from '../setting.ts'
import { useDrawn } from '../use-drawn.ts'
import { Say } from './Say.tsx'
import { emptyLine, useIdle } from './use-idle.ts'

/** @param text - Contains `{time}`; if left out, only the time is shown. @param atMs - Milliseconds since 1970. */
export function TimeOfDay({ text = '{time}', atMs }: { text?: string; atMs: number }) {
  const { locale, texts, isDrawn = false } = useSetting()
  // A server does not know the payer's time zone.
  const [isUtc, setUtc] = useState(isDrawn)
  useDrawn(() => setUtc(false), [])
  const time = new Date(atMs)
  const written = timeAfterForm(time, locale, texts, isUtc)
  if (!useIdle(written)) return emptyLine
  const shown = written ?? writtenTime(time, locale, { timeStyle: 'short', ...(isUtc && { timeZone: 'UTC' }) })
  const value = (
    <time dateTime={time.toISOString()} key={shown} className={isUtc ? 'pw-utc' : undefined} suppressHydrationWarning>
      {shown}
      {isUtc ? <span> UTC</span> : null}
    </time>
  )
  return <Say text={text} values={{ time: value }} />
}
