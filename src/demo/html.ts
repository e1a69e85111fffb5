/** HTML as a template: every value is escaped, unless it is HTML that was built here. */

/** A piece of HTML that is safe to put into another. */
export interface Html {
  readonly html: string
}

/** Builds HTML. Arrays are joined; null, undefined and false are left out. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return { html: parts.reduce((text, part, at) => text + render(values[at - 1]) + part) }
}

function render(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  if (isHtml(value)) return value.html
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && 'html' in value && typeof value.html === 'string'
}
