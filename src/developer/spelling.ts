/** Finds attributes that mean another: HTML has no word for one that nobody knows. */

/** What is said of each attribute that nobody knows and that is nearly one of `known`. @param isData - In a script tag: `data-reference`. */
export function misspelt(element: Element, known: readonly string[], isData: boolean): readonly string[] {
  return element.getAttributeNames().flatMap((written) => {
    const name = isData ? written.replace(/^data-/, '') : written
    if (known.includes(name) || (isData && name === written)) return []
    const meant = known.find((candidate) => isNear(plain(name), plain(candidate)))
    return meant === undefined
      ? []
      : [`The attribute ${written} is unknown. Is ${isData ? 'data-' : ''}${meant} meant?`]
  })
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}

/** Whether two letters at most are wrong, missing, or too many. */
function isNear(left: string, right: string): boolean {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...right].entries()) {
      const [replaced = 0, added = 0, left = 0] = [row[at], row[at + 1], next[at]]
      next.push(Math.min(replaced + (letter === other ? 0 : 1), added + 1, left + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) <= 2
}
