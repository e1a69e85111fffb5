/**
 * What a developer is told on the page itself. Loaded on `localhost` alone: by an element at once,
 * to look at its attributes, else when there is something to say. No payer ever loads it.
 */
import { adviceOn } from './advice.ts'
import { docs } from './docs.ts'
import { drawNotes, type Note } from './draw.ts'
import { missingTexts } from './languages.ts'
import { misspelt, misspeltOptions, unknownTheme } from './spelling.ts'

/**
 * The codes that a server answers with a status. Put here by scripts/advice.ts: an import would be
 * bytes of what payers load.
 */
declare const PAYWINDOW_ANSWERED: readonly string[]

/** Each is said once, also after the notes were closed. */
const said = new Set<string>()
let open: readonly Note[] = []

/**
 * Adds a note to the page.
 *
 * @param what - A `PaywindowError`; a sentence; the header in which a server in test mode sends
 *   what its `onError` was told, a JSON list; or what is looked at: an element of ours, the tag of
 *   the script, or the options of the component or the modal.
 */
export function show(what: unknown): void {
  const fresh = wordsOf(what).filter((words) => !said.has(words))
  for (const words of fresh) said.add(words)
  const notes = fresh.map((words) => ({ words, advice: adviceOn(words, location.origin) }))
  for (const { words, advice } of notes) {
    if (isUnheard(what, words)) console.error('Paywindow', words)
    // Its error has the code, and only the server knew the cause.
    else if (typeof what === 'string') console.info('Paywindow', words)
    if (advice !== null) console.info('Paywindow', `Fix: ${advice}`, docs)
  }
  open = [...open, ...notes]
  draw()
}

/**
 * Whether the console does not have it yet: what a server answers with a status comes back as the
 * error of a request.
 */
function isUnheard(what: unknown, words: string): boolean {
  const [code = ''] = words.split(': ')
  if (typeof what === 'string') return what.startsWith('[') && !PAYWINDOW_ANSWERED.includes(code)
  return Object(what).code === undefined
}

/** Of an element, or of the tag of the script. */
function spellingsOf(tag: HTMLElement): readonly string[] {
  const { observedAttributes: known = [] }: { observedAttributes?: readonly string[] } = Object(
    customElements.get('pay-window'),
  )
  return [...misspelt(tag, known, tag instanceof HTMLScriptElement), ...unknownTheme(tag.getAttribute('theme'))]
}

function draw(): void {
  drawNotes(open, () => {
    open = []
    draw()
  })
}

function wordsOf(what: unknown): readonly string[] {
  if (what instanceof HTMLElement) return spellingsOf(what)
  if (typeof what === 'string') return what.startsWith('[') ? Array.from(JSON.parse(what), String) : [what]
  const { code, message, theme } = Object(what)
  if (code === undefined)
    return [...misspeltOptions(Object.keys(Object(what))), ...unknownTheme(theme), ...missingTexts(Object(what))]
  // The server's own words come first, in a header, and say more.
  return [...said].some((words) => words.startsWith(`${code}: `)) ? [] : [`${code}: ${message}`]
}
