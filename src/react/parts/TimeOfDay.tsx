/**
 * A time of day in the payer's language, in a sentence or alone.
 */
import { timeAfterForm } from '../../locales/forms.ts'
import { writtenTime } from '../../locales/written.ts'
import { useSetting } from '../setting.ts'
import { Say } from './Say.tsx'
import { emptyLine, useIdle } from './use-idle.ts'

/** @param text - Contains `{time}`; if left out, only the time is shown. @param atMs - Milliseconds since 1970. */
export function TimeOfDay({ text = '{time}', atMs }: { text?: string; atMs: number }) {
  const { locale, texts } = useSetting()
  const time = new Date(atMs)
  const written = timeAfterForm(time, locale, texts)
  if (!useIdle(written)) return emptyLine
  const shown = written ?? writtenTime(time, locale, { timeStyle: 'short' })
  const value = (
    <time dateTime={time.toISOString()} key={shown}>
      {shown}
    </time>
  )
  return <Say text={text} values={{ time: value }} />
}
