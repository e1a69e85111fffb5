/** Which quick starts are paid in, how they are followed, and with which browsers. */
import { exampleNames, type Way } from './examples.ts'

/** The visit to the documentation's own playground. */
export const playground = 'playground'
/** A quick start, or the playground. */
export const hostNames: readonly string[] = [...exampleNames, playground]

/** With every browser: the script tag on many kinds of pages, the element, and the component. */
const inAllEngines = ['node', 'next', 'strict-csp', 'iframe', 'turbo', 'vite-react', 'vite-vue', playground]
/** Those whose short way, the copy of the shop in the package, is followed in Chromium, too. */
const alsoCopied = ['node', 'express', 'next', 'vite-react', 'vite-vue']
/** The one that is paid in on a page with two versions of the script, too. */
const withOlderScript = 'node'
/** The one whose development server is paid in, too. */
const alsoEdited = 'next'

/** The ways in which a host is tried with a browser; none where that browser leaves it out. */
export function waysTo(name: string, engine: string): readonly Way[] {
  const isChromium = engine === 'chromium'
  if (!isChromium && !inAllEngines.includes(name)) return []
  return [
    ...(isChromium && alsoCopied.includes(name) ? (['copied'] as const) : []),
    'written',
    ...(isChromium && name === alsoEdited ? (['edited'] as const) : []),
    ...(name === withOlderScript ? (['beside an older script'] as const) : []),
  ]
}
