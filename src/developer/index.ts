/**
 * What a developer is told on the page itself. Loaded on `localhost` alone, and only once there is something to say: no payer ever loads it.
 */
import { adviceOn } from './advice.ts'
import { drawNotes, type Note } from './draw.ts'

/** Each is said once, also after the notes were closed. */
const said = new Set<string>()
let open: readonly Note[] = []

/**
 * Adds a note to the page.
 *
 * @param what - A `PaywindowError`, a sentence, or the header in which a server in test mode sends what its `onError` was told: a JSON list.
 */
export function show(what: unknown): void {
  const fresh = wordsOf(what).filter((words) => !said.has(words))
  for (const words of fresh) said.add(words)
  open = [...open, ...fresh.map((words) => ({ words, advice: adviceOn(words, location.origin) }))]
  draw()
}

function draw(): void {
  drawNotes(open, () => {
    open = []
    draw()
  })
}

function wordsOf(what: unknown): readonly string[] {
  if (typeof what === 'string') return what.startsWith('[') ? Array.from(JSON.parse(what), String) : [what]
  const { code, message } = Object(what)
  return [`${code}: ${message}`]
}
