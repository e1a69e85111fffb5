/**
 * What is written most, after an example in the language's file: prices below a thousand in a few
 * currencies, and times of day. `Intl` writes the same, and everything else, but its first use
 * takes a slow device as long as drawing the whole panel.
 */
import type { PanelTexts } from './en.ts'

type Forms = Pick<PanelTexts, 'formsOf' | 'priceForms' | 'timeForms'>

/** Whether the forms of the texts are those of the locale. */
export function isOf(locale: string | undefined, { formsOf }: Forms): boolean {
  return locale !== undefined && formsOf.split(' ').includes(locale)
}

/**
 * Writes `USD` and `49.9` as `$49.90`.
 * @param decimal - Canonical.
 * @returns Null where there is no example to follow.
 */
export function priceAfterForm(
  asset: string,
  decimal: string,
  locale: string | undefined,
  forms: Forms,
): string | null {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d\d?))?$/.exec(decimal) ?? []
  const form = forms.priceForms.split(' ').find((text) => text.startsWith(`${asset}=`))
  if (!whole || !form || !isOf(locale, forms)) return null
  return form
    .slice(asset.length + 1)
    .replace(/0(.)00/, (_, point: string) => `${whole}${point}${fraction.padEnd(2, '0')}`)
}

/**
 * Writes a time of day, in the payer's time zone or in UTC. Null where there is no example to
 * follow.
 */
export function timeAfterForm(time: Date, locale: string | undefined, forms: Forms, isUtc = false): string | null {
  if (!isOf(locale, forms)) return null
  const [morning = '', evening] = forms.timeForms.split('|')
  const hours = isUtc ? time.getUTCHours() : time.getHours()
  const minutes = isUtc ? time.getUTCMinutes() : time.getMinutes()
  const hour = evening === undefined ? hours : hours % 12 || 12
  return (hours < 12 ? morning : (evening ?? morning)).replace(
    /(0?9)(.)05/,
    (_, nine: string, colon: string) => `${hour}`.padStart(nine.length, '0') + colon + `${minutes}`.padStart(2, '0'),
  )
}
