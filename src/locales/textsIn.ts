/**
 * Texts from outside, as far as they are texts: a page that passes on something else must not lose the panel.
 */

export function textsIn(given: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const name in given) {
    const text = given[name]
    if (typeof text === 'string') texts[name] = text
  }
  return texts
}
