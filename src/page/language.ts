/** The language of a visitor whom a server draws for. */
import type { Texts } from '../locales/en.ts'
import { languageOf } from '../locales/languages.ts'
import { textsOf } from '../locales/texts-of.ts'

/**
 * The first of the visitor's languages that is ours, as the visitor has it; else English. @param
 * accepted - As `Accept-Language` has them.
 */
export function localeOf(accepted: string): string {
  const wanted = accepted.split(',').flatMap((part) => {
    const [, tag = '', weight = '1'] = /^\s*([a-z\d-]{2,35})\s*(?:;\s*q=([\d.]{1,5}))?\s*$/i.exec(part) ?? []
    return languageOf(tag) && Number(weight) > 0 ? [{ tag, weight: Number(weight) }] : []
  })
  return wanted.sort((left, right) => right.weight - left.weight)[0]?.tag ?? 'en'
}

/** Texts in place of the English ones, as the script loads them for this locale. */
export function textsFor(locale: string): Partial<Texts> {
  const language = languageOf(locale) ?? 'en'
  return language === 'en' ? {} : textsOf(language)
}
