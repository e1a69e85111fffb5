/** Finds pages of another language whose component was given no texts. */
import { languageOf } from '../locales/languages.ts'

/**
 * What is said of the options of a component. A modal has an element, which loads its language or
 * says so itself.
 */
export function missingTexts({ locale, texts }: { locale?: unknown; texts?: unknown }): readonly string[] {
  if (texts !== undefined || document.querySelector('pay-window')) return []
  const language = languageOf(String(locale ?? document.documentElement.lang))
  return language === null || language === 'en' ? [] : [`stays English: texts for ${language} are not set`]
}
