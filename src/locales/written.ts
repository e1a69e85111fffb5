/** Times that only `Intl` can write. */

/** A time or a date. */
export function writtenTime(time: Date, locale: string | undefined, style: Intl.DateTimeFormatOptions): string {
  return inLocale(locale, (known) => new Intl.DateTimeFormat(known, style).format(time))
}

/** With the zone, for what is read on another day or in another place. */
export const dateAndZone = { dateStyle: 'medium', timeStyle: 'long' } as const

/** Seconds or minutes that have passed: `4 sec. ago`. @param ms - Less than zero counts as zero. */
export function writtenAgo(ms: number, locale: string | undefined): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const isShort = seconds < 60
  return inLocale(locale, (known) =>
    new Intl.RelativeTimeFormat(known, { style: 'short' }).format(
      -(isShort ? seconds : Math.floor(seconds / 60)),
      isShort ? 'second' : 'minute',
    ),
  )
}

/** Writes in a locale, which pages write `de_DE`, too; in the payer's own where the browser refuses it. */
export function inLocale(locale: string | undefined, write: (locale: string | undefined) => string): string {
  try {
    return write(locale?.replace(/_/g, '-'))
  } catch {
    return write(undefined)
  }
}
