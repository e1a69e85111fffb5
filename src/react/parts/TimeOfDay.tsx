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

const utc = { timeZone: 'UTC' } as const

/**
 * The zone to write times in where a server does, which does not know the payer's; undefined for
 * the payer's own.
 */
export function useUtc(): typeof utc | undefined {
  const { isDrawn } = useSetting()
  const [zone, setZone] = useState(isDrawn ? utc : undefined)
  useDrawn(() => setZone(undefined), [])
  return zone
}

/**
 * @param text - Contains `{time}`; if left out, only the time is shown. @param atMs - Milliseconds
 *   since 1970.
 */
export function TimeOfDay({ text = '{time}', atMs }: { text?: string; atMs: number }) {
  const { locale, texts } = useSetting()
  const zone = useUtc()
  const time = new Date(atMs)
  const written = timeAfterForm(time, locale, texts, zone !== undefined)
  if (!useIdle(written)) return emptyLine
  const shown = written ?? writtenTime(time, locale, { timeStyle: 'short', ...zone })
  const value = (
    <time dateTime={time.toISOString()} key={shown} className={zone ? 'pw-utc' : undefined} suppressHydrationWarning>
      {shown}
      {zone ? <span> UTC</span> : null}
    </time>
  )
  return <Say text={text} values={{ time: value }} />
}
