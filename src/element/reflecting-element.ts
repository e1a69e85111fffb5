/**
 * The attributes of `<pay-window>` as properties, for frameworks and scripts that set properties.
 */

/** Changing one of these draws anew; the first four start over. */
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

/** The property that goes with an attribute, which is also its name in a script's `data-` attributes. */
export function propertyOf(attribute: (typeof attributeNames)[number]) {
  // The signs after hyphens are letters, so that the type says what comes out.
  return attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<typeof attribute>
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type Text = string | null | undefined
/** Set by an attribute that is there, whatever its text. */
type Flag = Text | boolean

// Where there is no DOM, as on a server that renders the page, the class can still be imported. It is never constructed
// there: only a browser's registry does that.
const Base = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement

/** Each property reads and writes the attribute of its name. What is null, undefined or false removes it. */
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
