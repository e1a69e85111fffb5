/**
 * The language of an element: taken from the page, and loaded from a file beside the script unless
 * it is English.
 */
import type { Texts } from '../locales/en.ts'
import { type Language, languageOf } from '../locales/languages.ts'
import { textsIn } from '../locales/texts-in.ts'
import { tell } from '../session/tell.ts'

/**
 * How long a page waits for its language. After that, English is shown until the language is
 * loaded.
 */
const patienceMs = 2_000
/** The same for what a server has drawn in its language: until then its buttons do nothing. */
const drawnPatienceMs = 10_000

/** What an element shows: texts in place of English, and the locale that goes with the texts. */
export interface Speech {
  readonly locale: string
  readonly texts: Partial<Texts>
}

/** What is shown until another language is there. */
export const english: Speech = { locale: 'en', texts: {} }
const loaded = new Map<Language, Promise<Partial<Texts>>>()
let folders: readonly URL[] = []

/**
 * Sets where the language files may be, `de.json` and so on. If it is not set, every page gets
 * English or its own texts.
 */
export function setLanguageFolders(urls: readonly URL[]): void {
  folders = urls
}

/** The locale of an element that names none: the page's, or the payer's own. */
export function localeAround(element: Element): string {
  return element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language
}

/**
 * What to show for a locale, at once if nothing has to be loaded. Otherwise null, and `later` is
 * called once or twice: with English if loading takes too long, and with the language when it is
 * loaded. If its file cannot be loaded, English stays.
 *
 * @param hasTexts - The page has its own: then nothing is missing where no files are.
 * @param isDrawn - A server has drawn the element in its language, which stays for a longer time.
 */
export function speechFor(
  locale: string,
  later: (speech: Speech) => void,
  hasTexts = false,
  isDrawn = false,
): Speech | null {
  const language = languageOf(locale)
  if (language === 'en') return { locale, texts: {} }
  if (language === null || !folders[0]) {
    if (language && !hasTexts) tell(window, `stays English: texts for ${language} are not set`)
    return english
  }
  const timer = setTimeout(() => later(english), isDrawn ? drawnPatienceMs : patienceMs)
  textsOf(language)
    .then(
      (texts) => ({ locale, texts }),
      (error: unknown) => {
        // A lost connection, or a page that is left, is no mistake of the shop.
        if (!(error instanceof TypeError)) tell(window, `stays English: ${error}`)
        return english
      },
    )
    .then((speech) => {
      clearTimeout(timer)
      later(speech)
    })
  return null
}

function textsOf(language: Language): Promise<Partial<Texts>> {
  const known = loaded.get(language)
  if (known) return known
  const texts = load(language)
  loaded.set(language, texts)
  // The next element tries again and may succeed.
  texts.catch(() => loaded.delete(language))
  return texts
}

async function load(language: Language): Promise<Partial<Texts>> {
  let misses = ''
  for (const folder of folders) {
    const url = new URL(`${language}.json`, folder)
    const answer = await fetch(url)
    const text = await answer.text()
    // A server may answer a page of its own where there is no file.
    if (answer.ok && text.startsWith('{')) {
      return textsIn(JSON.parse(text))
    }
    misses += `${url} has no language, but status ${answer.status}. `
  }
  throw new Error(misses)
}
