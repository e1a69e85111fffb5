// @vitest-environment jsdom
/**
 * The screens that docs/testing.md links to are there, and say what its tables say. Run with both
 * drawing libraries (scripts/targets/tests.ts).
 */
import { readFileSync } from 'node:fs'
import { createRoot } from 'react-dom/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadLater } from '#later'
import { Widget } from '../react/Widget.tsx'
import { standingHandle } from './standing-handle.ts'
import { galleryStates } from './states.ts'

const page = readFileSync('docs/testing.md', 'utf8')
/** Links to screens that the page names once, by their names. */
const screens = new Map(
  [...page.matchAll(/\*(\w+)\*[\w\s]*(\[“[^\]]+\]\([^)]+\))/g)].map(([, name = '', link = '']) => [
    name.toLowerCase(),
    link,
  ]),
)
/** Of each scenario: its name, and what its last column says that the payer sees. */
const cells = [...page.matchAll(/^\| `([\w-]+)` \| .* \| .* \| (.*) \|$/gm)].map(
  ([, name = '', seen = '']) => [name, seen] as const,
)
const rows = cells.map(([name, seen], at) => {
  const [, other] = /^as for `([\w-]+)`/.exec(seen) ?? []
  const same =
    other === undefined
      ? seen.startsWith('the same') && cells[at - 1]?.[1]
      : cells.find(([each]) => each === other)?.[1]
  return [name, (same || seen).replace(/^\w+/, (word) => screens.get(word) ?? word)] as const
})

beforeAll(() => Promise.resolve(loadLater).then((load?: typeof loadLater) => load?.()))

/**
 * All that the state says. @param query - What the gallery is asked for: its name, and whether what
 * is folded is open.
 */
async function wordsOf(query: string): Promise<string> {
  const [name, folds] = query.split('&')
  const state = galleryStates('BTC').find((each) => each.name === name)
  if (!state) throw new Error(`The gallery has no state ${name}`)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(<Widget endpoint="/paywindow" handle={standingHandle(state)} locale="en" />)
  await expect.poll(() => place.textContent).toMatch(/\w/)
  if (folds === 'folds=open')
    for (const fold of place.querySelectorAll('details')) {
      fold.open = true
      // The DOM of this test does not say so by itself.
      fold.dispatchEvent(new Event('toggle'))
    }
  await expect.poll(() => [...place.querySelectorAll('details[open] > summary:only-child')]).toEqual([])
  const words = place.textContent ?? ''
  root.unmount()
  place.remove()
  return words
}

describe('each screen of docs/testing.md', () => {
  it('stands in a table', () => {
    expect(rows.length).toBe(20)
    expect([...screens.keys()]).toEqual(['seen', 'paid', 'canceled'])
  })

  it.each(rows)('%s is in the gallery, which says: %s', async (_, seen = '') => {
    const links = [...seen.matchAll(/\[([^\]]+)\]\(\.\.\/src\/gallery\/states\.ts#([^)]+)\)/g)]
    expect(links).not.toEqual([])
    let shown = ''
    for (const [, text = '', query = ''] of links) {
      const words = await wordsOf(query)
      expect(quoted(text).filter((each) => !words.includes(each))).toEqual([])
      shown += words
    }
    expect(quoted(seen).filter((each) => !shown.includes(each))).toEqual([])
  })
})

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words)
}
