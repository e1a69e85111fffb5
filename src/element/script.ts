/**
 * The script tag: registers `<pay-window>`, inserts one right after the script if that has `data-endpoint` and
 * `data-reference`, and offers `Paywindow.open()`. Languages are in the folder `locales` beside it.
 */
import { openPaywindow } from './dialog.ts'
import { setLanguageFolder } from './language.ts'
import { attributeNames, propertyOf } from './reflecting-element.ts'
import { register } from './register.ts'

declare global {
  interface Window {
    Paywindow?: { open: typeof openPaywindow }
  }
}

const script = document.currentScript

// Before registering: elements that are already on the page ask for their language as soon as they are registered.
if (script instanceof HTMLScriptElement && script.src) setLanguageFolder(new URL('locales/', script.src))
register()
if (script instanceof HTMLScriptElement && script.dataset.endpoint !== undefined && script.dataset.reference) {
  const element = document.createElement('pay-window')
  for (const name of attributeNames) {
    const value = script.dataset[propertyOf(name)]
    if (value !== undefined) element.setAttribute(name, value)
  }
  script.after(element)
}

// If the page has the script twice, what the first one set stays.
window.Paywindow ??= { open: openPaywindow }
