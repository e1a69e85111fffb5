/** Paying without a pointer: Tab reaches each button, its focus is visible, Enter presses it. */
import { expect, type Locator, type Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, core, openPage, readClipboard, simulateUnseen, test, withClipboard } from './test.ts'

test.use(withClipboard)

/** More than there is on any page of the shop. */
const mostPresses = 60

for (const { build, path } of builds) {
  test(`${build}: an order is paid with the keyboard alone`, core, async ({ page, shop, poll }) => {
    const widget = await openPage(page, path)
    await widget.shows(en.chooseTitle)
    await pressWithKeys(page, widget.root.getByRole('button', { name: /^XRP\b/ }))
    await widget.asksForMoney()
    await expect(widget.root.getByRole('heading', { name: en.sendExactly })).toBeFocused()
    for (const name of [en.address, en.destinationTag, en.amount]) {
      const text = await widget.read(name)
      await pressWithKeys(page, widget.copyButton(name))
      await expect.poll(() => readClipboard(page)).toBe(text)
    }
    await simulateUnseen(page, 'exact')
    await poll()
    await expect(widget.title(en.seenTitle)).toBeFocused()
    await simulateUnseen(page, 'confirm')
    await poll()
    await expect(widget.title(en.paidTitle)).toBeFocused()
    await pressWithKeys(page, widget.root.getByRole('link', { name: /^Back to/ }))
    await expect(page).toHaveURL('/order')
    expect(await shop.orders()).toHaveLength(1)
  })
}

async function pressWithKeys(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; !(await hasFocus(target)); presses += 1) {
    expect(presses, 'presses of Tab on the way').toBeLessThan(mostPresses)
    await page.keyboard.press('Tab')
  }
  await expect(target).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const tree = element.getRootNode()
    return (tree instanceof ShadowRoot || tree instanceof Document) && tree.activeElement === element
  })
}
