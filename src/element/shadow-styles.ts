/**
 * The style sheet of all shadow roots of a page, parsed once. Constructed, because a `<style>` element would need an exception in
 * a strict content security policy.
 */
import { withPlainRem } from '../react/rem.ts'
import css from '../react/styles.css?inline'

let sheet: CSSStyleSheet | undefined

/** The styles of the widget for a shadow root, made once for all elements of a page. */
export function shadowStyles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(withPlainRem(css))
  }
  return sheet
}
