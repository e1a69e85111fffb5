/** Draws the notes in a corner of the page, apart from the page's own styles and the widget's. */
import { docs } from './docs.ts'

/** What went wrong, and what to do. */
export interface Note {
  readonly words: string
  /** With `code` in backticks; null where there is none. */
  readonly advice: string | null
}

const css = `
:host { all: initial; position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483647; inline-size: min(28rem, calc(100vw - 2rem)); color-scheme: light dark }
section { max-block-size: 60vh; overflow: auto; padding: .875rem 1rem; border-radius: .75rem; font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere;
  color: light-dark(#1d1d1f, #f2f2f4); background: light-dark(#fff, #1f1f23); border: 1px solid light-dark(#b45309, #f59e0b); box-shadow: 0 8px 30px #0003 }
header { display: flex; gap: .5rem; align-items: start; justify-content: space-between }
h2 { margin: 0; font-size: 1em } p { margin: .5rem 0 0 } small, a { font-size: .9em; color: light-dark(#55555c, #b9b9c1) }
div { margin-block-start: .75rem; padding-block-start: .25rem; border-block-start: 1px solid #8884 }
code { font: .92em ui-monospace, monospace; background: #8882; border-radius: 4px; padding: 0 .25em }
button { all: unset; flex: none; cursor: pointer; padding: .125rem .5rem; border-radius: 6px; border: 1px solid #8886 }
button:focus-visible, a:focus-visible { outline: 2px solid; outline-offset: 2px }
`

let place: HTMLElement | undefined

/** Draws these in place of what stands there; takes all away if there are none. */
export function drawNotes(notes: readonly Note[], close: () => void): void {
  place?.remove()
  if (notes.length === 0) return
  place = document.createElement('div')
  place.lang = 'en'
  place.dir = 'ltr'
  place.translate = false
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = place.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(sectionOf(notes, close))
  openModal().append(place)
}

/**
 * Nothing outside of an open modal can be read or pressed. That of `Paywindow.open` is in a shadow
 * root below the body.
 */
function openModal(): Element {
  const roots = [document, ...[...document.body.children].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  return roots.flatMap((root) => [...root.querySelectorAll('dialog:modal')]).at(-1) ?? document.body
}

function sectionOf(notes: readonly Note[], close: () => void): HTMLElement {
  const button = element('button', 'Close')
  button.onclick = close
  const section = element('section', element('header', element('h2', 'Paywindow: to mend on this page'), button))
  section.ariaLabel = 'Notes for the developer'
  section.append(element('small', 'Shown on localhost only. Payers never see it.'), ...notes.map(drawNote))
  section.append(element('p', explained()))
  return section
}

function drawNote({ words, advice }: Note): HTMLElement {
  const note = element('div', element('p', words))
  if (advice !== null) note.append(element('p', element('b', 'Fix: '), ...withCode(advice)))
  return note
}

function explained(): Node | string {
  if (!docs.startsWith('https:')) return `More: ${docs}`
  const link = element('a', 'More in Troubleshooting')
  link.href = docs
  link.target = '_blank'
  return link
}

/** Text between backticks as code. */
function withCode(text: string): readonly (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', part)))
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.append(...content)
  return made
}
