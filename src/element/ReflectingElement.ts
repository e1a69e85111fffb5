/**
 * The attributes of `<pay-window>` as properties, for frameworks and scripts that set properties.
 */

/** Changing one of these draws anew; the first four start over. */
export const attributeNames = ['endpoint', 'reference', 'asset', 'network', 'locale', 'theme', 'handover-url'] as const

/** The property that goes with an attribute, which is also its name in a script's `data-` attributes. */
export function propertyOf(attribute: (typeof attributeNames)[number]): string {
  return attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

type Text = string | null | undefined

// Where there is no DOM, as on a server that renders the page, the class can still be imported. It is never constructed
// there: only a browser's registry does that.
const Base = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement

/** Each property reads and writes the attribute of its name; null or undefined removes it. */
export class ReflectingElement extends Base {
  get endpoint(): string | null {
    return this.getAttribute('endpoint')
  }

  set endpoint(text: Text) {
    this.#reflect('endpoint', text)
  }

  get reference(): string | null {
    return this.getAttribute('reference')
  }

  set reference(text: Text) {
    this.#reflect('reference', text)
  }

  get asset(): string | null {
    return this.getAttribute('asset')
  }

  set asset(text: Text) {
    this.#reflect('asset', text)
  }

  get network(): string | null {
    return this.getAttribute('network')
  }

  set network(text: Text) {
    this.#reflect('network', text)
  }

  get locale(): string | null {
    return this.getAttribute('locale')
  }

  set locale(text: Text) {
    this.#reflect('locale', text)
  }

  get theme(): string | null {
    return this.getAttribute('theme')
  }

  set theme(text: Text) {
    this.#reflect('theme', text)
  }

  get handoverUrl(): string | null {
    return this.getAttribute('handover-url')
  }

  set handoverUrl(text: Text) {
    this.#reflect('handover-url', text)
  }

  #reflect(name: (typeof attributeNames)[number], text: Text): void {
    if (text === null || text === undefined) this.removeAttribute(name)
    else this.setAttribute(name, text)
  }
}
