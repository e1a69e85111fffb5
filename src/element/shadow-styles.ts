/**
 * The styles of all shadow roots of a page. A constructed sheet, parsed once, because a `<style>`
 * element would need an exception in a strict content security policy.
 */
import { withPlainRem } from '../react/rem.ts'
import css from '../react/styles.css?inline'
import { make } from './make.ts'

/** Null in Safari before 16.4 and Firefox before 101. */
let sheet: CSSStyleSheet | null | undefined

/** Gives a shadow root the styles of the widget. */
export function styleShadow(shadow: ShadowRoot): void {
  if (sheet === undefined) sheet = construct()
  if (sheet) shadow.adoptedStyleSheets = [sheet]
  else shadow.appendChild(make('style', '', withPlainRem(css)))
}

function construct(): CSSStyleSheet | null {
  try {
    const constructed = new CSSStyleSheet()
    constructed.replaceSync(withPlainRem(css))
    return constructed
  } catch {
    return null
  }
}
