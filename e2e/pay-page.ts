/** What tests do with the page of the merchant server, also where it has no scripts. */
import { expect, type Page } from '@playwright/test'

/** Opens the page for the order of a new visit. */
export async function openPay(page: Page): Promise<void> {
  await page.goto('/order')
  await page.goto('/')
  const reference = (await page.locator('pay-window').getAttribute('reference')) ?? ''
  await page.goto(`/paywindow/pay?reference=${encodeURIComponent(reference)}`)
}

/** What the sandbox does when its payer acts, without a page that has scripts. */
export async function simulate(page: Page, what: string): Promise<void> {
  const answer = await page.request.post(`/simulate/${what}`, { headers: { origin: new URL(page.url()).origin } })
  expect(answer.status(), await answer.text()).toBeLessThan(400)
}

/** Without scripts there are no buttons that copy, by which the widget's values are found else. */
export const valuesOn = (page: Page) => page.locator('.pw-exact, .pw-number')

/** Presses a coin. */
export async function choose(page: Page, method: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${method}\\b`) }).click()
  await expect(valuesOn(page).last()).toBeVisible()
}
