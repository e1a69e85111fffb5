/**
 * The texts of any language, for what draws on a server, the gallery, and tests: no bundle for
 * browsers has them all.
 */
import type { Texts } from './en.ts'
import type { Language } from './languages.ts'

const files: Readonly<Record<string, Readonly<Record<string, Texts>>>> = import.meta.glob(
  ['./*.ts', '!./*.test.ts', '!./texts-of.ts'],
  { eager: true },
)

/** The only object that a language's file exports. */
export function textsOf(language: Language): Texts {
  const [texts] = Object.values(files[`./${language}.ts`] ?? {})
  if (!texts) throw new Error(`there is no file of ${language}`)
  return texts
}
