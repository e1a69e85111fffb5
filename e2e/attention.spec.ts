/**
 * How a payer who looks elsewhere learns of a payment: by the title, a screen that stays on, a
 * notification, or the share sheet of a phone.
 */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, expect, openPage, setVisibility, test } from './test.ts'
import { widgetOn } from './widget.ts'

/** The demo's own. */
const title = 'Checkout · Lantern Books'

/** What the page asked the device for, in turn. */
interface Asked {
  asked: string[]
}

/** Puts recorders in the place of what the device has for it. */
async function record(page: Page, without: readonly string[] = []): Promise<() => Promise<string[]>> {
  await page.addInitScript((missing) => {
    const asked: string[] = []
    Object.assign(window, { asked })
    const give = (target: object, name: string, value: unknown) =>
      Object.defineProperty(target, name, { value: missing.includes(name) ? undefined : value, configurable: true })
    give(navigator, 'wakeLock', {
      request: async (kind: string) => {
        asked.push(`stay on: ${kind}`)
        return { release: async () => asked.push('may go dark') }
      },
    })
    give(navigator, 'share', async ({ url }: ShareData) => asked.push(`share ${url}`))
    const Notification = class {
      static requestPermission = async () => {
        asked.push('permission')
        return 'granted'
      }
      constructor(title: string, { body }: NotificationOptions) {
        asked.push(`${title}: ${body}`)
      }
    }
    give(window, 'Notification', Notification)
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      asked.push('tones')
      start.apply(this, when)
    }
  }, without)
  return () => page.evaluate(() => (window as unknown as Asked).asked)
}

/** Opens the page of a build with options of the widget, named as attributes. */
async function openWith(page: Page, path: string, options: readonly string[]): Promise<void> {
  await openPage(page, `${path}?${options.join('&')}`)
  await page.evaluate((names) => {
    for (const name of names) document.querySelector('pay-window')?.toggleAttribute(name, true)
  }, options)
}

async function pollUntilPaid(page: Page, poll: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await poll()
    await expect(widgetOn(page).title(en.paidTitle)).toBeVisible({ timeout: 500 })
  }).toPass()
}

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('the screen stays on while there is something to send, and the title says that it is paid', async ({
      page,
      simulate,
      poll,
    }) => {
      const asked = await record(page)
      const widget = await openPage(page, path)
      await widget.shows(en.chooseTitle)
      expect(await asked()).toEqual([])
      await widget.choose('Bitcoin')
      await expect.poll(asked).toEqual(['stay on: screen'])
      await setVisibility(page, 'hidden')
      await setVisibility(page, 'visible')
      await expect.poll(asked).toEqual(['stay on: screen', 'stay on: screen'])
      await simulate('exact')
      await poll()
      await widget.shows(en.seenTitle)
      await expect.poll(async () => (await asked()).at(-1)).toBe('may go dark')
      await simulate('confirm')
      await setVisibility(page, 'hidden')
      expect(await page.title()).toBe(title)
      await expect(async () => {
        await poll()
        expect(await page.title()).toBe('✓ Paid')
      }).toPass()
      await setVisibility(page, 'visible')
      expect(await page.title()).toBe(title)
    })

    test('the title stays where the merchant wishes it', async ({ page, simulate, poll }) => {
      await openWith(page, path, ['keep-title'])
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      await simulate('exact')
      await poll()
      await simulate('confirm')
      await setVisibility(page, 'hidden')
      await pollUntilPaid(page, poll)
      expect(await page.title()).toBe(title)
    })

    for (const { device, without, told } of [
      { device: 'a desktop', without: [], told: ['permission', 'tones', 'Lantern Books: ✓ Paid'] },
      { device: 'a phone that has no notifications for pages', without: ['Notification'], told: ['tones'] },
    ])
      test(`whoever asks for it is told on ${device}, once`, async ({ page, simulate, poll }) => {
        const asked = await record(page, ['wakeLock', ...without])
        await openWith(page, path, ['notify'])
        const widget = widgetOn(page)
        await widget.choose('Bitcoin')
        expect(await asked()).toEqual([])
        await widget.root.getByRole('button', { name: en.notify }).click()
        await expect(widget.root.getByText(en.notifyOn)).toBeVisible()
        await simulate('exact')
        await poll()
        await simulate('confirm')
        await pollUntilPaid(page, poll)
        await expect.poll(asked).toEqual(told)
        await poll()
        expect(await asked()).toEqual(told)
      })

    test('nothing is offered where the merchant has not asked for it', async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      await expect(widget.root.getByText(en.continueElsewhere)).toBeVisible()
      await expect(widget.root.getByRole('button', { name: en.notify })).toHaveCount(0)
    })

    test.describe('on a phone', () => {
      test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

      test('the link for another device goes to the sheet that the phone has for it', async ({ page }) => {
        const asked = await record(page, ['wakeLock'])
        const widget = await openPage(page, path)
        await widget.choose('Bitcoin')
        await widget.pick(en.whereOther)
        await widget.root.getByText(en.continueElsewhere).tap()
        await widget.root.getByRole('button', { name: en.share }).tap()
        await expect.poll(asked).toEqual([`share ${await widget.read(en.handoverLink)}`])
      })
    })
  })
}
