/**
 * No box of any state is higher or lower because of a font: the machine's own, an odd one, or the
 * font of a name in another script.
 */
import type { Page } from '@playwright/test'
import { expect, once, setWidth, test } from './gallery.ts'
import { fontOf } from './platform-fonts.ts'

// What grows into its place has another height on the way.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Ascents and descents of the regular and the bold face, by their oddity. */
const measures = {
  nothing: [
    { weight: '400', ascentOverride: '95%', descentOverride: '25%' },
    { weight: '600', ascentOverride: '95%', descentOverride: '25%' },
  ],
  'twice as high': [
    { weight: '400', ascentOverride: '170%', descentOverride: '90%', lineGapOverride: '40%' },
    { weight: '600', ascentOverride: '170%', descentOverride: '90%', lineGapOverride: '40%' },
  ],
  'hardly any height': [
    { weight: '400', ascentOverride: '60%', descentOverride: '5%' },
    { weight: '600', ascentOverride: '60%', descentOverride: '5%' },
  ],
  'mostly below the line': [
    { weight: '400', ascentOverride: '40%', descentOverride: '110%' },
    { weight: '600', ascentOverride: '40%', descentOverride: '110%' },
  ],
  'bold that is higher': [
    { weight: '400', ascentOverride: '95%', descentOverride: '25%' },
    { weight: '600', ascentOverride: '150%', descentOverride: '60%' },
  ],
} as const satisfies Readonly<Record<string, readonly FontFaceDescriptors[]>>

for (const language of ['en', 'uk', 'ar']) {
  test(`${language}: no box is higher or lower for the measures of its font`, once, async ({ page, openGallery }) => {
    await openGallery(`lang=${language}`)
    await unfold(page)
    const fonts = { Sans: await fontOf(page, '#seen .pw-note'), Mono: await fontOf(page, '#waiting .pw-exact') }
    for (const width of [320, 400, 760]) {
      await setWidth(page, width)
      let usual: readonly string[] | undefined
      for (const [odd, faces] of Object.entries(measures)) {
        await drawWith(page, fonts, faces)
        const heights = await boxHeights(page)
        expect(heights.length).toBeGreaterThan(1000)
        usual ??= heights
        expect(changes(usual, heights), `${width} px, ${odd}`).toEqual([])
      }
    }
  })
}

test('names in scripts of any height move nothing', async ({ page, openGallery }) => {
  await openGallery('only=choosing,waiting,waiting-soon,seen,paid&width=400')
  // Hints come when the page is idle.
  await expect(page.locator('.pw-hints')).toHaveCount(2)
  let latin: readonly string[] | undefined
  for (const name of ['Lan', 'བོད', 'نستع', 'ที่นี่', 'ខ្មែរ', 'हिन्दी', '日本', 'Ẫ̈g']) {
    await page.locator('.pw-order bdi, .pw-method b').evaluateAll((elements, text) => {
      for (const element of elements) element.textContent = text
    }, name)
    const heights = await boxHeights(page)
    latin ??= heights
    expect(changes(latin, heights), name).toEqual([])
  }
})

/** Opens all folds, and waits for their contents. */
async function unfold(page: Page): Promise<void> {
  // Hints come when the page is idle.
  const panels = await page.locator('article:not(#waiting-view-only) .pw-pay:not([aria-hidden])').count()
  await expect(page.locator('.pw-hints')).toHaveCount(panels)
  // A lost connection is warned of when it lasts.
  await expect(page.locator('#waiting-offline .pw-warnings > p')).toHaveCount(2)
  await page.locator('.pw details').evaluateAll((all) => {
    for (const details of all) if (details instanceof HTMLDetailsElement) details.open = true
  })
  const fold = '.pw-next > .pw-details'
  await expect(page.locator(`${fold} > summary + *`)).toHaveCount(await page.locator(fold).count())
}

/** Draws all texts with these fonts (PostScript names), as high as `faces` say. */
function drawWith(
  page: Page,
  fonts: Readonly<Record<'Sans' | 'Mono', string>>,
  faces: readonly FontFaceDescriptors[],
): Promise<void> {
  return page.evaluate(
    async ([fontOf, descriptors]) => {
      const { style } = document.documentElement
      style.setProperty('--pw-min-height', '0px')
      style.setProperty('--pw-font', 'Sans, system-ui, sans-serif')
      style.setProperty('--pw-mono', 'Mono, monospace')
      document.fonts.clear()
      for (const [family, name] of Object.entries(fontOf)) {
        for (const face of descriptors) {
          document.fonts.add(await new FontFace(family, `local("${name}")`, face).load())
        }
      }
    },
    [fonts, faces] as const,
  )
}

function changes(before: readonly string[], after: readonly string[]): string[] {
  return before.flatMap((box, at) => (box === after[at] ? [] : [`${box}, now ${after[at]?.split(' ').at(-1)}`]))
}

/** Every box of every state, with its height. */
function boxHeights(page: Page): Promise<string[]> {
  return page
    .locator('.gallery-state')
    .evaluateAll((states) =>
      states.flatMap((state) =>
        [...state.querySelectorAll('.pw-card, .pw-card *')].flatMap((element, at) =>
          getComputedStyle(element).display === 'inline'
            ? []
            : [`${state.id} ${at} ${element.className} ${element.getBoundingClientRect().height}`],
        ),
      ),
    )
}
