// @vitest-environment jsdom
/**
 * The widget under a translator, as browsers have them: it puts its own text, in elements of its
 * own, in the place of every text that it finds, at any moment. Run with both drawing libraries
 * (scripts/targets/tests.ts).
 */
import { createRoot } from 'react-dom/client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadLater } from '#later'
import { Widget } from '../react/Widget.tsx'
import { someOf } from '../testing/tier.testing.ts'
import { standingHandle } from './standing-handle.ts'
import { type GalleryState, galleryStates } from './states.ts'

const states = galleryStates('XRP')
type Step = GalleryState | number
const pressable = 'button, summary, input[type=radio]'
/** Symbols of coins, which a translator would take for words. */
const symbol = /\b(BTC|ETH|USDC|USDT|XRP|SOL|LTC|TON|XLM)\b/
const exact = '.pw-exact, .pw-amount, .pw-unit, [role=timer], .pw-price'
// What says how long ago something was is compared, too.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
// The script and the element have nothing to load.
beforeAll(() => Promise.resolve(loadLater).then((load?: typeof loadLater) => load?.()))
/** Long enough for a machine that is busy. */
const timeout = 60_000
// A page is idle once, and from then on nothing waits for that.
beforeAll(
  () =>
    vi.waitFor(async () => expect(String(await watch(states))).toContain('Open this payment on another device'), {
      timeout,
    }),
  timeout,
)

/**
 * A widget on a page of its own, of which each state and press is shown in turn, and what is
 * written then.
 */
async function watch(script: readonly Step[], each: (place: Element) => void = () => {}): Promise<readonly string[]> {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const observer = new MutationObserver(() => {
    each(place)
    observer.takeRecords()
  })
  observer.observe(place, { childList: true, characterData: true, subtree: true })
  const written: string[] = []
  for (const step of script) {
    if (typeof step !== 'number')
      root.render(<Widget endpoint="/paywindow" handle={standingHandle(step)} handoverUrl="/pay" locale="en" />)
    else place.querySelectorAll<HTMLElement>(pressable)[step]?.click()
    await drawn()
    const text = [...place.querySelectorAll('.pw-card')].map(({ textContent }) => textContent.replaceAll(/[⟦⟧]/g, ''))
    written.push(`${typeof step === 'number' ? `press ${step}` : step.name}: ${text}`)
  }
  root.unmount()
  place.remove()
  return written
}

/** When everything that was begun is drawn: the libraries draw in tasks of their own. */
async function drawn(): Promise<void> {
  for (let task = 0; task < 3; task++) await new Promise((resolve) => setTimeout(resolve))
}

function textsIn(place: Element): readonly Text[] {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode()) if (walker.currentNode instanceof Text) found.push(walker.currentNode)
  return found.filter((text) => text.data.trim() !== '')
}

/**
 * `in place`: as the first look at a page does it. `anew`: what was translated is translated again,
 * as with another language.
 */
function translate(place: Element, how: 'in place' | 'anew'): void {
  for (const text of textsIn(place)) {
    const parent = text.parentElement
    if (!parent || parent.closest('[translate="no"]') || (how === 'in place' && parent.tagName === 'FONT')) continue
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = `⟦${text.data}⟧`
    outer.append(inner)
    text.replaceWith(outer)
  }
}

/** States that differ from another one in a word or a number only. */
const alike = ['waiting-ether', 'waiting-token', 'waiting-comment', 'waiting-soon', 'waiting-last', 'waiting-test']

/**
 * A walk in which each state follows each other one: all of them in `npm run test:money`, every
 * third in `npm test`.
 */
function* everyTransition(): Generator<GalleryState> {
  const different = someOf(
    states.filter(({ name }) => !alike.includes(name)),
    3,
  )
  for (const [at, from] of different.entries())
    for (const to of different.slice(at + 1)) {
      yield from
      yield to
    }
}

describe('a widget that a browser translates', () => {
  it('shows each state after each other one', { timeout: 120_000 }, async () => {
    const script = [...everyTransition()]
    const plain = await watch(script)
    for (const how of ['in place', 'anew'] as const)
      expect(await watch(script, (place) => translate(place, how)), how).toEqual(plain)
  })

  it.each(states)('has each text in an element of its own, and digits and names as they are: $name', async (state) => {
    const beside = new Set<string>()
    const changed = new Set<Element>()
    await watch([state], (place) => {
      for (const { data, parentNode } of textsIn(place)) if (parentNode?.childNodes.length !== 1) beside.add(data)
      translate(place, 'in place')
      for (const font of place.querySelectorAll('font')) if (symbol.test(font.textContent)) changed.add(font)
      for (const font of place.querySelectorAll(exact.replaceAll(/(?=,|$)/g, ' font'))) changed.add(font)
    })
    expect([beside, changed]).toEqual([new Set(), new Set()])
  })
})
