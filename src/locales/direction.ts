/**
 * Which way a language is written.
 */

/** Languages of right-to-left scripts. `Intl.Locale` knows too, but not in every browser. */
const rightToLeft = /^(?:ar|fa|he|iw|ku|ps|sd|ug|ur|yi)\b/i

/** Direction for the `dir` attribute. @param locale - BCP 47, such as `ar-EG`. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.test(locale) ? 'rtl' : 'ltr'
}
