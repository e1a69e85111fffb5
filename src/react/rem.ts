/**
 * Many shops have `html { font-size: 62.5% }`, so that a rem is ten pixels, and their texts say
 * 1.6rem. What is measured in rem here would be as small as eight pixels there. Others have a rem
 * of 100 pixels, or of a tenth of the screen, as the unit of their drafts.
 */

/**
 * Styles in which a rem is 16 pixels at least, and as large as the page's where that is larger: for
 * payers who want large text. At most it is 40 pixels, with which a phone still shows the payment.
 */
export function withPlainRem(css: string): string {
  return css.replace(/([\d.]*\d)rem/g, 'calc($1*clamp(16px,1rem,40px))')
}
