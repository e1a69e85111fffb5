/** Checks the parts of the payment panel that must be visible, whatever a page's styles do. */
import { expect, type Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { inspectCode, readCode } from './qr.ts'
import { drawnBackwards, widgetOn } from './widget.ts'

/** Expects everything that a payer needs to be visible and complete, with its letters unchanged. */
export async function expectWhole(page: Page): Promise<void> {
  const widget = widgetOn(page)
  for (const name of [en.amount, en.address, en.destinationTag]) {
    const field = widget.field(name)
    await expect(field).toBeVisible()
    expect(await field.evaluate((element) => element instanceof HTMLElement && element.innerText)).toBe(
      await field.textContent(),
    )
    expect(await drawnBackwards(field)).toBe(false)
  }
  await expect(widget.timer).toBeVisible()
  expect(await widget.root.evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(0)
  expect(await readCode(widget.code)).toBe(await widget.read(en.address))
  expect((await inspectCode(widget.code)).misdrawn).toEqual([])
}
