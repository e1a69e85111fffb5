/**
 * The languages that the widget speaks, and which of them a locale means.
 */

/** BCP 47. Each has a file of its name beside this one, and a JSON file in the package. */
export const languages = [
  'en',
  'es',
  'pt-BR',
  'fr',
  'de',
  'it',
  'nl',
  'pl',
  'tr',
  'uk',
  'ru',
  'ja',
  'ko',
  'zh-Hans',
  'zh-Hant',
  'id',
  'vi',
  'hi',
  'ar',
  'he',
] as const

/** Names of the languages, as BCP 47 writes them. */
export type Language = (typeof languages)[number]

/** Codes that browsers still use for what has another one by now. */
const renamed: Readonly<Record<string, string>> = { iw: 'he', in: 'id' }

/**
 * The language of a locale, or null where it is none of ours. Regions do not matter, but for the
 * script of Chinese.
 */
export function languageOf(locale: string): Language | null {
  const [first = '', ...rest] = locale.toLowerCase().split(/[-_]/)
  const base = renamed[first] ?? first
  if (base === 'zh') {
    const isTraditional = rest.includes('hant') || (!rest.includes('hans') && /\b(tw|hk|mo)\b/.test(rest.join(' ')))
    return isTraditional ? 'zh-Hant' : 'zh-Hans'
  }
  return languages.find((language) => language.toLowerCase().split('-')[0] === base) ?? null
}
