/**
 * The script tag: registers `<pay-window>`, inserts one right after the script if that has `data-endpoint` or
 * `data-reference`, and offers `Paywindow.open()`. Languages are in the folder `locales` beside it.
 */
// First, because the order of the parts decides how small the script gets when it is compressed: 0.3 KiB.
import './shadow-styles.ts'
import './QrCode.tsx'

import { showDeveloper } from '../session/tell.ts'
import { openPaywindow } from './dialog.ts'
import { setLanguageFolder } from './language.ts'
import type { PaywindowElement } from './paywindow-element.ts'
import { attributeNames, propertyOf } from './reflecting-element.ts'
import { register } from './register.ts'

// A module does not know its own tag.
const script =
  document.currentScript ??
  document.querySelector('script[type=module]:is([data-endpoint],[data-reference],[src*=paywindow])')

// Before registering: elements that are already on the page ask for their language as soon as they are registered.
if (script instanceof HTMLScriptElement && script.src) setLanguageFolder(new URL('locales/', script.src))
register()
if (script) showDeveloper(window, script)
if (script instanceof HTMLScriptElement && (script.dataset.endpoint ?? script.dataset.reference) !== undefined) {
  const element = document.createElement('pay-window')
  for (const name of attributeNames.map(propertyOf)) Object.assign(element, { [name]: script.dataset[name] })
  // A router that shows a copy of the page runs its scripts again, and the copy has the element already.
  const next: Partial<PaywindowElement> | null = script.nextElementSibling
  if (next?.reference !== element.reference) script.after(element)
}

// If the page has the script twice, what the first one set stays.
window.Paywindow ??= { open: openPaywindow }
