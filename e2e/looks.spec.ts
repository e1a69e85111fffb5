/** A page changes the widget's looks by custom properties, but not the payment code's. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { inspectCode } from './qr.ts'
import { builds, dress, expect, openPage, test } from './test.ts'

const shopColours =
  ':root { --pw-accent: rgb(10, 120, 90); --pw-radius: 3px; --pw-text: rgb(90, 0, 60); --pw-bg: rgb(255, 250, 220) }'

for (const { build, path } of builds) {
  test(`${build}: text and corners are those of the page, and the code stays black on white`, async ({
    page,
    complaints,
  }) => {
    const { widget, button } = await openPanel(page, path)
    const card = widget.root.locator('.pw-card')
    await expect(button).toHaveCSS('border-radius', '16px')
    await expect(card).toHaveCSS('border-radius', '20px')
    await dress(page, shopColours)
    await expect(button).toHaveCSS('border-radius', '3px')
    // A quarter more, so that corners of 0 are square at the card, too.
    await expect(card).toHaveCSS('border-radius', '3.75px')
    await expect(card).toHaveCSS('background-color', 'rgb(255, 250, 220)')
    await expect(widget.title(`${en.sendExactly} ${await widget.read(en.amount)} BTC`)).toHaveCSS(
      'color',
      'rgb(90, 0, 60)',
    )
    await widget.pick(en.whereOther)
    expect((await inspectCode(widget.code)).misdrawn).toEqual([])
    complaints.splice(0)
  })

  test.describe('under a finger', () => {
    test.use({ hasTouch: true })

    test(`${build}: the link to a wallet has the page's accent, and a text that can be read on it`, async ({
      page,
      complaints,
    }) => {
      const { button } = await openPanel(page, path)
      await expect(button).not.toHaveCSS('background-color', 'rgb(10, 120, 90)')
      await dress(page, shopColours)
      await expect(button).toHaveCSS('background-color', 'rgb(10, 120, 90)')
      await expect(button).toHaveCSS('color', 'color(srgb-linear 1 1 1)')
      await dress(page, ':has(> .pw), pay-window { --pw-accent: rgb(250, 220, 40) }')
      await expect(button).toHaveCSS('background-color', 'rgb(250, 220, 40)')
      await expect(button).toHaveCSS('color', 'color(srgb-linear 0 0 0)')
      complaints.splice(0)
    })
  })
}

/** Opens the panel of a payment in Bitcoin. */
async function openPanel(page: Page, path: string) {
  const widget = await openPage(page, path)
  await widget.choose('Bitcoin')
  await widget.pick(en.whereHere)
  return { widget, button: widget.root.getByRole('link', { name: en.openWallet }) }
}
