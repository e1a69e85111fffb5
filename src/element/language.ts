/**
 * The language of an element: asked of the page, and loaded from the file beside the script where it is not English.
 */
import { en, type Texts } from '../locales/en.ts'
import { type Language, languageOf } from '../locales/languages.ts'

/** A page waits this long for its language; then English is shown until it is there. */
const patienceMs = 2_000

/** What an element shows: texts in place of English, and the locale that goes with the texts. */
export interface Speech {
  readonly locale: string
  readonly texts: Partial<Texts>
}

const english: Speech = { locale: 'en', texts: {} }
const loaded = new Map<Language, Promise<Partial<Texts>>>()
let folder: URL | undefined

/** Says where the files are: `de.json` and so on. Without it every page gets English, or the texts it brings itself. */
export function setLanguageFolder(url: URL): void {
  folder = url
}

/** The locale of an element that names none: the page's, or the payer's own. */
export function localeAround(element: Element): string {
  return element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language
}

/**
 * What to show for a locale: at once where nothing has to be loaded. Otherwise `later` is told, once or twice: English when it
 * takes too long, and the language when it is there. A file that cannot be loaded leaves English.
 */
export function speechFor(locale: string, later: (speech: Speech) => void): Speech | null {
  const language = languageOf(locale)
  if (language === 'en') return { locale, texts: {} }
  if (language === null || !folder) return english
  const timer = setTimeout(() => later(english), patienceMs)
  textsOf(language, new URL(`${language}.json`, folder))
    .then(
      (texts) => ({ locale, texts }),
      () => english,
    )
    .then((speech) => {
      clearTimeout(timer)
      later(speech)
    })
  return null
}

function textsOf(language: Language, url: URL): Promise<Partial<Texts>> {
  const known = loaded.get(language)
  if (known) return known
  const texts = load(url)
  loaded.set(language, texts)
  // The next element may have more luck.
  texts.catch(() => loaded.delete(language))
  return texts
}

async function load(url: URL): Promise<Partial<Texts>> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.pathname} answered ${answer.status}`)
  const json: unknown = await answer.json()
  const entries = typeof json === 'object' && json !== null ? Object.entries(json) : []
  return Object.fromEntries(entries.filter(([name, text]) => name in en && typeof text === 'string'))
}
