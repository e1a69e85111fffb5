/**
 * The script tag: registers `<pay-window>`, inserts one right after the script, or after the head
 * that it is in, if it has `data-endpoint` or `data-reference`, and offers `Paywindow.open()`.
 * Languages are in the folder `locales` beside it, or at the root of the site.
 */
// First, because the order of the parts decides how small the script gets when it is compressed:
// 0.5 KiB.
import './shadow-styles.ts'
import './QrCode.tsx'
import '../react/Widget.tsx'

import { urlOf } from '../contract/parse.ts'
import { showDeveloper } from '../session/tell.ts'
import { openPaywindow } from './dialog.ts'
import { setLanguageFolders } from './language.ts'
import type { PaywindowElement } from './paywindow-element.ts'
import { attributeNames, propertyOf } from './reflecting-element.ts'
import { register } from './register.ts'

const isPlace = (tag: Element) => tag.matches('[data-endpoint],[data-reference]')
const current = document.currentScript
// A module does not know its own tag; nor does what jQuery or an optimiser runs as text, or from a
// blob.
const tags =
  current instanceof HTMLScriptElement && (/^(?!blob:)./.test(current.src) || isPlace(current))
    ? [current]
    : [
        ...document.querySelectorAll<HTMLScriptElement>(
          'script[src*=paywindow],script[type=module]:is([data-endpoint],[data-reference])',
        ),
      ]

// Before registering: elements that are already on the page ask for their language as soon as they
// are registered.
setLanguageFolders(
  [...tags.map(({ src }) => urlOf('locales/', src)), urlOf('/locales/', document.baseURI)].flatMap((url) => url ?? []),
)
register()
for (const tag of tags) {
  showDeveloper(window, tag)
  if (!isPlace(tag)) continue
  const element = document.createElement('pay-window')
  for (const name of attributeNames) Object.assign(element, { [propertyOf(name)]: tag.getAttribute(`data-${name}`) })
  // What stands in the head is not shown.
  const place = tag.closest('head') ?? tag
  // A router that shows a copy of the page runs its scripts again, and the copy has the element
  // already.
  const next: Partial<PaywindowElement> | null = place.nextElementSibling
  if (next?.reference !== element.reference) place.after(element)
}

// If the page has the script twice, what the first one set stays. An element with this id is none
// of them.
if (!window.Paywindow?.open) window.Paywindow = { open: openPaywindow }
