/** Every press shows at once that it was heard, and within two seconds why it waits. */
import type { Locator, Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, expect, forget, openPage, stopClock, test } from './test.ts'
import { type Widget, widgetOn } from './widget.ts'

const heardMs = 100
const toldMs = 2_000

/** What can be pressed that has to ask the shop: how to get there, what to press, and how it shows that it was heard. */
const presses: readonly {
  readonly name: string
  readonly reach: (page: Page, widget: Widget) => Promise<void>
  readonly button: (widget: Widget) => Locator
  /** Where the reason stands: a screen of its own for a first request. */
  readonly isTold: (widget: Widget, word: string) => Promise<void>
}[] = [
  {
    name: 'a coin',
    reach: async (_, widget) => widget.shows(en.chooseTitle),
    button: ({ root }) => root.getByRole('button', { name: /^Bitcoin/ }),
    isTold: ({ root }, word) => expect(root.getByRole('button', { name: /^Bitcoin/ })).toContainText(word),
  },
  {
    name: 'Change',
    reach: async (_, widget) => widget.choose('Bitcoin'),
    button: ({ root }) => root.getByRole('button', { name: en.change }),
    isTold: ({ root }, word) => expect(root.getByRole('alert')).toHaveText(word),
  },
  {
    name: 'Get a new price',
    reach: async (page, widget) => {
      await widget.choose('Bitcoin')
      await page.clock.fastForward(20 * 60_000)
      await widget.shows(en.expiredTitle)
    },
    button: ({ root }) => root.locator('.pw-next > .pw-button:not([data-look])'),
    isTold: ({ root }, word) => expect(root.locator('.pw-next > .pw-button:not([data-look])')).toHaveText(word),
  },
]

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    for (const { name, reach, button, isTold } of presses) {
      test(`${name}, at a shop that does not answer`, async ({ page }) => {
        await openPage(page, path)
        const widget = widgetOn(page)
        await reach(page, widget)
        await stopClock(page)
        await page.route('/paywindow/**', () => undefined)
        await button(widget).click()
        await page.clock.runFor(heardMs)
        await expect(button(widget)).toHaveAttribute('aria-busy', 'true')
        await page.clock.runFor(toldMs - heardMs)
        await isTold(widget, en.stillWaiting)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })

      test(`${name}, without a network`, async ({ page, context, complaints }) => {
        await openPage(page, path)
        const widget = widgetOn(page)
        await reach(page, widget)
        await stopClock(page)
        await context.setOffline(true)
        await button(widget).click()
        await page.clock.runFor(heardMs)
        await expect(button(widget)).toHaveAttribute('aria-busy', 'true')
        await page.clock.runFor(toldMs - heardMs)
        await isTold(widget, en.footLost)
        await expect(widget.foot).toContainText(en.footLost)
        forget(complaints, 'ERR_INTERNET_DISCONNECTED')
      })
    }

    test('Try again, without a network', async ({ page, context, complaints }) => {
      await page.clock.install()
      await page.route('/paywindow/**', (route) => route.abort('connectionrefused'))
      await page.goto(path)
      const widget = widgetOn(page)
      await expect(async () => {
        await page.clock.runFor(1_000)
        await expect(widget.title(en.unreachableTitle)).toBeVisible({ timeout: 100 })
      }).toPass()
      await stopClock(page)
      const asked = page.waitForRequest(/\/paywindow\/checkouts$/)
      await widget.root.getByRole('button', { name: en.retry }).click()
      await asked
      await page.clock.runFor(toldMs)
      await widget.shows(en.unreachableTitle)
      await context.setOffline(false)
      forget(complaints, 'ERR_CONNECTION_REFUSED')
    })
  })
}
