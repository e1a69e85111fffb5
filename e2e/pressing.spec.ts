/** Every press shows at once that it was heard, and within two seconds why it waits. */
import type { Locator, Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, expect, forget, openPage, stopClock, test } from './test.ts'
import { type Widget, widgetOn } from './widget.ts'

const heardMs = 100
const toldMs = 2_000

/** Buttons that ask the shop: how to reach and press each, and how it shows that it was pressed. */
const presses: readonly {
  readonly name: string
  readonly reach: (page: Page, widget: Widget) => Promise<void>
  readonly button: (widget: Widget) => Locator
  /** Default: what was pressed is marked as busy. */
  readonly isHeard?: (widget: Widget) => Promise<void>
  /** Checks where the reason stands: on a first request it has a screen of its own. */
  readonly isTold: (widget: Widget, word: string) => Promise<void>
  /** For actions that are tried only once: the words about the failure. */
  readonly failed?: string
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
    button: ({ root }) => root.locator('.pw-way').last(),
    isTold: ({ root }, word) => expect(root.locator('.pw-way').last()).toContainText(word),
  },
  {
    name: 'Open this payment on another device',
    reach: async (_, widget) => widget.choose('Bitcoin'),
    button: ({ root }) => root.getByText(en.continueElsewhere),
    isHeard: ({ root }) => expect(root.locator('.pw-hints')).toContainText(/Making the link…|could not be made/),
    isTold: ({ root }, word) => expect(root.locator('.pw-hints')).toContainText(word),
    failed: en.handoverFailed,
  },
]

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    for (const { name, reach, button, isHeard = isBusy(button), isTold, failed } of presses) {
      test(`${name}, at a shop that does not answer`, async ({ page }) => {
        const widget = await openPage(page, path)
        await reach(page, widget)
        await stopClock(page)
        await page.route('/paywindow/**', () => undefined)
        await button(widget).click()
        await page.clock.runFor(heardMs)
        await isHeard(widget)
        await page.clock.runFor(toldMs - heardMs)
        await isTold(widget, en.stillWaiting)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })

      test(`${name}, without a network`, async ({ page, context, complaints }) => {
        const widget = await openPage(page, path)
        await reach(page, widget)
        await stopClock(page)
        await context.setOffline(true)
        await button(widget).click()
        await page.clock.runFor(heardMs)
        await isHeard(widget)
        await page.clock.runFor(toldMs - heardMs)
        await isTold(widget, failed ?? en.footLost)
        if (!failed) await expect(widget.foot).toContainText(en.footLost)
        forget(complaints, 'ERR_INTERNET_DISCONNECTED')
      })
    }

    test('Try again, at a shop that does not answer', async ({ page, complaints }) => {
      const widget = await reachUnreachable(page, path)
      await page.unrouteAll()
      await page.route('/paywindow/**', () => undefined)
      await widget.root.getByRole('button', { name: en.retry }).click()
      await page.clock.runFor(heardMs)
      await expect(widget.foot).toContainText(en.preparing)
      await page.clock.runFor(toldMs - heardMs)
      await expect(widget.foot).toContainText(en.stillWaiting)
      await expect(widget.live).toHaveText(en.stillWaiting)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      forget(complaints, 'ERR_CONNECTION_REFUSED')
    })

    test('Try again, without a network', async ({ page, context, complaints }) => {
      const widget = await reachUnreachable(page, path)
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

function isBusy(button: (widget: Widget) => Locator): (widget: Widget) => Promise<void> {
  return (widget) => expect(button(widget)).toHaveAttribute('aria-busy', 'true')
}

/** Opens a page whose shop cannot be reached, and stops its clock. */
async function reachUnreachable(page: Page, path: string): Promise<Widget> {
  await page.clock.install()
  await page.route('/paywindow/**', (route) => route.abort('connectionrefused'))
  await page.goto(path)
  const widget = widgetOn(page)
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(widget.title(en.unreachableTitle)).toBeVisible({ timeout: 100 })
  }).toPass()
  await stopClock(page)
  return widget
}
