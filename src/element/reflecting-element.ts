/**
 * The attributes of `<pay-window>` as properties, for frameworks and scripts that set properties.
 */
import type { EventfulElement } from './interface.ts'

/**
 * The observed attributes. A change to one of the first four starts over; a change to another one
 * only redraws.
 */
export const attributeNames = [
  'endpoint',
  'reference',
  'asset',
  'network',
  'locale',
  'theme',
  'handover-url',
  'support-url',
  'notify',
  'keep-title',
] as const

/**
 * The property that belongs to an attribute. It is also the name in the script's `dataset` of its
 * `data-` attributes.
 */
export function propertyOf(attribute: (typeof attributeNames)[number]) {
  // Only letters follow hyphens in these names, so the type describes the result exactly.
  return attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<typeof attribute>
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type Text = string | null | undefined
/** Set if the attribute is present, whatever its text. */
type Flag = Text | boolean

// Without a DOM, as on a server that renders the page, the class can still be imported. It is never
// constructed there: only a browser's registry does that.
const Base = (typeof HTMLElement === 'undefined' ? Object : HTMLElement) as unknown as new () => EventfulElement

/**
 * Each property reads and writes the attribute of its name. The values null, undefined and false
 * remove the attribute.
 */
export class ReflectingElement extends Base {
  declare endpoint: Text
  declare reference: Text
  declare asset: Text
  declare network: Text
  declare locale: Text
  declare theme: Text
  declare handoverUrl: Text
  declare supportUrl: Text
  declare notify: Flag
  declare keepTitle: Flag
}

for (const name of attributeNames)
  Object.defineProperty(ReflectingElement.prototype, propertyOf(name), {
    configurable: true,
    enumerable: true,
    get(this: Element) {
      return this.getAttribute(name)
    },
    set(this: Element, value: Text | Flag) {
      if (value === null || value === undefined || value === false) this.removeAttribute(name)
      else this.setAttribute(name, value === true ? '' : value)
    },
  })
