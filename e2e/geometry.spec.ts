/**
 * Where things are and how large, in every state, language and width. The tests run under several
 * sets of fonts (playwright.config.ts): the layout must not depend on a font.
 */
import type { Page } from '@playwright/test'
import { directionOf } from '../src/locales/direction.ts'
import { languages } from '../src/locales/languages.ts'
import { expect, once, setWidth, test } from './gallery.ts'
import { drawnBackwards } from './widget.ts'

// In this zone the gallery's quotes end at 12:43 PM. Its two more digits can take another line.
test.use({ timezoneId: 'Etc/GMT-3' })

/** The way of a payment, and what may come between. */
const way =
  'preparing,choosing,choosing-picked,waiting-untracked,waiting,expired,expired-failed,seen,paid,ended,settled-paid,unreachable,refused'
/** That of a payment whose coin needs a tag, once it is chosen. */
const wayWithTag = 'waiting-untracked,waiting,expired,expired-failed,seen,paid,ended,settled-paid'

/** Those states that take the most room. */
const tallest = 'choosing,waiting-untracked,waiting,expired-failed,seen'

/** What docs/pages.md tells pages to keep free, in pixels, by the widget's width. */
function promisedHeight(width: number, hasTag = false, isHeld = false): number {
  if (width >= 640) return 16 * (40 + (hasTag ? 2 : 0))
  return 16 * ((isHeld ? 46 : width < 390 ? 62 : 58) + (hasTag ? 6 : 0))
}

test('one state has the height of the next, the one that is promised, so that the page below stays where it is', async ({
  page,
  openGallery,
}) => {
  await openGallery(`only=${way}`)
  for (const width of [320, 340, 360, 380, 390, 400, 430, 480, 560, 639, 640, 700, 760, 800, 1000]) {
    await expectHeights(page, width, promisedHeight(width), way)
  }
})

for (const method of ['XRP', 'TON']) {
  test(`with a tag too: ${method}`, async ({ page, openGallery }) => {
    await openGallery(`only=${wayWithTag}&method=${method}`)
    for (const width of [320, 360, 390, 400, 560, 639, 640, 700, 760]) {
      await expectHeights(page, width, promisedHeight(width, true), wayWithTag)
    }
  })
}

test.describe('under a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1280, height: 900 } })

  test('the heights are lower, although buttons are larger: there is no code', async ({ page, openGallery }) => {
    await openGallery(`only=${way}`)
    expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
    for (const width of [320, 360, 390, 430, 639, 640, 800])
      await expectHeights(page, width, promisedHeight(width, false, true), way)
    await openGallery(`only=${wayWithTag}&method=XRP`)
    for (const width of [320, 360, 390, 430, 639, 640, 800])
      await expectHeights(page, width, promisedHeight(width, true, true), wayWithTag)
  })
})

test('in every language too', async ({ page, openGallery }) => {
  for (const language of languages) {
    await openGallery(`only=${tallest}&lang=${language}`)
    for (const width of [320, 360, 390, 430, 560, 640, 800]) {
      await expectHeights(page, width, promisedHeight(width), tallest, language)
    }
  }
})

test(
  'long languages with a tag take at most as much more as docs/pages.md says',
  once,
  async ({ page, openGallery }) => {
    for (const method of ['XRP', 'TON']) {
      for (const language of languages) {
        await openGallery(`only=${wayWithTag}&lang=${language}&method=${method}`)
        for (const width of [320, 360, 390, 430, 560, 640, 700]) {
          await setWidth(page, width)
          const heights = await page
            .locator('.gallery-state .pw')
            .evaluateAll((places) => places.map((place) => place.getBoundingClientRect().height))
          expect(Math.max(...heights), `${method}, ${language}, ${width} px`).toBeLessThanOrEqual(
            promisedHeight(width, true) + 16 * 5,
          )
        }
      }
    }
  },
)

for (const language of languages) {
  const everywhere = ['ru', 'ar'].includes(language)
  test(
    `${language}: nothing sticks out of a card of 280 px, at text twice as large, or in the wrong direction`,
    everywhere ? {} : once,
    async ({ page, openGallery }) => {
      await openGallery(`lang=${language}&width=280`)
      const cards = page.locator('.pw')
      await expect(cards.first()).toHaveAttribute('dir', directionOf(language))
      await expect(cards.first()).toHaveAttribute('lang', language)
      expect(await sticksOut(page)).toEqual([])
      for (const text of await page.locator('.pw-exact, .pw-amount').all())
        expect(await drawnBackwards(text)).toBe(false)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      expect(await sticksOut(page)).toEqual([])
    },
  )
}

test(
  'an address takes two lines at most, on every phone and in every language',
  once,
  async ({ page, openGallery }) => {
    for (const language of languages) {
      await openGallery(`only=waiting,waiting-token,waiting-tag,waiting-comment&lang=${language}`)
      const tall = await page.evaluate(() => {
        const states = [...document.querySelectorAll<HTMLElement>('.gallery-state')]
        const found: string[] = []
        for (let width = 320; width <= 430; width += 5) {
          for (const state of states) state.style.width = `${width}px`
          for (const state of states) {
            const value = state.querySelector('.pw-value')
            if (!value) continue
            const lines = value.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(value).lineHeight)
            if (lines > 2.1) found.push(`${state.id} at ${width} px: ${lines.toFixed(1)}`)
          }
        }
        return found
      })
      expect(tall, language).toEqual([])
    }
  },
)

test(
  'a result stands in a card as high as what it says, with its foot right below',
  once,
  async ({ page, openGallery }) => {
    await openGallery('lang=en')
    for (const width of [320, 400, 760]) {
      await setWidth(page, width)
      const gaps = await page.locator('.gallery-state:has(.pw-result)').evaluateAll((states) =>
        states.map((state) => {
          const bottomOf = (selector: string) => state.querySelector(selector)?.getBoundingClientRect().bottom ?? 0
          const foot = state.querySelector('.pw-foot')?.getBoundingClientRect().top ?? bottomOf('.pw-card')
          return Math.round(foot - bottomOf('.pw-result'))
        }),
      )
      expect(gaps.length).toBeGreaterThan(10)
      expect(Math.max(...gaps), `${width} px`).toBeLessThanOrEqual(30)
    }
  },
)

test('in Arabic the sign of a dollar follows its letters', once, async ({ page, openGallery }) => {
  await openGallery('only=waiting,paid&lang=ar')
  await expect(page.locator('.pw-price').first()).toContainText('US$')
  const places = await page.locator('.pw-price bdi, .pw-result .pw-note bdi[translate="no"]').evaluateAll((prices) =>
    prices.map((price) => {
      const walker = document.createTreeWalker(price, NodeFilter.SHOW_TEXT)
      const text = walker.nextNode()
      const at = text?.textContent?.indexOf('US$') ?? -1
      if (!text || at < 0) return 'no dollars'
      const [letters, sign] = [document.createRange(), document.createRange()]
      letters.setStart(text, at)
      letters.setEnd(text, at + 2)
      sign.setStart(text, at + 2)
      sign.setEnd(text, at + 3)
      return sign.getBoundingClientRect().left >= letters.getBoundingClientRect().right - 1 ? 'after' : 'before'
    }),
  )
  expect(places).toEqual(['after', 'after', 'after'])
})

test('whatever can be pressed is 24 px wide and high, or stands in a sentence', async ({ page, openGallery }) => {
  await openGallery('lang=en&width=280')
  const small = await page
    .locator('.pw')
    .locator('button, a, summary, input')
    .evaluateAll((targets) =>
      targets.flatMap((target) => {
        const { width, height } = target.getBoundingClientRect()
        const inSentence = target.closest('.pw-late') !== null
        return inSentence || width === 0 || (width >= 24 && height >= 24)
          ? []
          : [`${target.textContent} ${width} × ${height}`]
      }),
    )
  expect(small).toEqual([])
})

/** @param states - Names with commas between them; whatever else is shown does not count. */
async function expectHeights(
  page: Page,
  width: number,
  height: number,
  states: string,
  language = 'en',
): Promise<void> {
  await setWidth(page, width)
  const names = states.split(',')
  const heights = await page
    .locator('.gallery-state')
    .evaluateAll((all) =>
      all.map(({ id, lastElementChild: card }) => ({ id, is: card?.getBoundingClientRect().height })),
    )
  const counted = heights.filter(({ id }) => names.includes(id))
  expect(counted).toHaveLength(names.length)
  expect(
    counted.filter(({ is }) => is !== height),
    `${language}: not ${height} px at ${width} px`,
  ).toEqual([])
}

/** States whose card holds something wider than itself, and the innermost of what that is. */
function sticksOut(page: Page): Promise<string[]> {
  return page.locator('.gallery-state').evaluateAll((states) =>
    states.flatMap((state) => {
      const card = state.querySelector('.pw-card')
      if (!card) return [`${state.id}: no card`]
      const { left, right } = card.getBoundingClientRect()
      const wide = [...card.querySelectorAll('*')].findLast((element) => {
        if (element.closest('.pw-unseen, svg')) return false
        const box = element.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
      })
      return wide ? [`${state.id}: ${wide.className} ${wide.textContent?.slice(0, 40)}`] : []
    }),
  )
}
