/**
 * Finds attributes and options that mean another: neither HTML nor JavaScript has a word for one
 * that nobody knows.
 */
import { distance } from 'fastest-levenshtein'
import type { OpenOptions } from '../element/dialog.ts'
import type { PaywindowProps } from '../react/Paywindow.tsx'

/** Letters that are wrong, missing, or too many. */
const mostWrong = 2

/**
 * What is said of each attribute that nobody knows and that is nearly one of `known`. @param isData
 * - In a script tag: `data-reference`.
 */
export function misspelt(element: Element, known: readonly string[], isData: boolean): readonly string[] {
  return element.getAttributeNames().flatMap((written) => {
    const name = isData ? written.replace(/^data-/, '') : written
    const isBare = isData && name === written
    if (known.includes(name) && !isBare) return []
    // Of others, a script has its own: `type`, `async`.
    const meant = isBare ? known.find((one) => one === name) : nearest(name, known)
    return meant === undefined
      ? []
      : [`The attribute ${written} is unknown. Is ${isData ? 'data-' : ''}${meant} meant?`]
  })
}

/** Of the component and the modal. */
export const optionNames = Object.keys({
  endpoint: 0,
  reference: 0,
  asset: 0,
  network: 0,
  locale: 0,
  texts: 0,
  theme: 0,
  handoverUrl: 0,
  supportUrl: 0,
  notify: 0,
  keepTitle: 0,
  logo: 0,
  onStatusChange: 0,
  onConfirmed: 0,
  onError: 0,
  onClose: 0,
  fetch: 0,
  clock: 0,
  queryClient: 0,
  initial: 0,
} satisfies Record<keyof PaywindowProps | keyof OpenOptions, 0>)

/** The same of options of the component or the modal, by their names. */
export function misspeltOptions(written: readonly string[]): readonly string[] {
  return written.flatMap((name) => {
    const meant = optionNames.includes(name) ? undefined : nearest(name, optionNames)
    return meant === undefined ? [] : [`The option ${name} is unknown. Is ${meant} meant?`]
  })
}

/** Null where an element has none, undefined where options have none. */
const themes: readonly unknown[] = ['light', 'dark', 'auto', null, undefined]

/** What is said of a theme that nobody knows, which looks as `auto` does. */
export function unknownTheme(theme: unknown): readonly string[] {
  return themes.includes(theme) ? [] : [`The theme ${theme} is unknown. There are light, dark and auto.`]
}

function nearest(name: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => distance(plain(name), plain(candidate)) <= mostWrong)
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}
