/** Finds attributes that mean another: HTML has no word for one that nobody knows. */
import { distance } from 'fastest-levenshtein'

/** Letters that are wrong, missing, or too many. */
const mostWrong = 2

/** What is said of each attribute that nobody knows and that is nearly one of `known`. @param isData - In a script tag: `data-reference`. */
export function misspelt(element: Element, known: readonly string[], isData: boolean): readonly string[] {
  return element.getAttributeNames().flatMap((written) => {
    const name = isData ? written.replace(/^data-/, '') : written
    if (known.includes(name) || (isData && name === written)) return []
    const meant = known.find((candidate) => distance(plain(name), plain(candidate)) <= mostWrong)
    return meant === undefined
      ? []
      : [`The attribute ${written} is unknown. Is ${isData ? 'data-' : ''}${meant} meant?`]
  })
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}
