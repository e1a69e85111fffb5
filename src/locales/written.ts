/** Times that only `Intl` can write. */

/** @param locale - One that the browser refuses is the payer's own. */
export function writtenTime(time: Date, locale: string | undefined, style: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat(locale, style).format(time)
  } catch {
    return new Intl.DateTimeFormat(undefined, style).format(time)
  }
}

/** With the zone, for what is read on another day or in another place. */
export const dateAndZone = { dateStyle: 'medium', timeStyle: 'long' } as const
