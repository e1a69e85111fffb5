/**
 * Texts from outside, as far as they are texts: a page that passes on something else must not lose
 * the panel.
 */

/**
 * Those of the given values that are texts. @param given - From the page; undefined where it gave
 * none.
 */
export function textsIn(given: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, string>> {
  let texts: Readonly<Record<string, string>> = {}
  // Written anew each time: the build for React takes it that no object is written to for its
  // effect (see `scripts/targets/react.ts`).
  for (const [name, text] of Object.entries(given ?? {}))
    if (typeof text === 'string') texts = { ...texts, [name]: text }
  return texts
}
