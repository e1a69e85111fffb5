/** The element in the frame, by the script tag as it is packed. */
import { attributesOf, propertiesOf } from './appearance.ts'
import { endpoint, open } from './frame.ts'

const element = document.createElement('pay-window')
element.setAttribute('endpoint', endpoint)

open((reference, appearance) => {
  const attributes = { reference, theme: 'auto', locale: appearance.locale, ...attributesOf(appearance) }
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.removeAttribute('style')
  for (const [name, value] of Object.entries(propertiesOf(appearance))) element.style.setProperty(name, value)
})
document.body.append(element)

const script = document.createElement('script')
script.src = 'paywindow.js'
document.head.append(script)
