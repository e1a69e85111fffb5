/** Begins what a page of the documentation begins late. */
import { expect } from '@playwright/test'
import type { Visit } from './engines/payer.ts'

/** What may take as long as a busy machine needs. */
export const soon = { timeout: 30_000 }

/** Gives the first sign of a reader, once the page listens to it: then the theme's switch has a name. */
export async function startParts(page: Visit): Promise<void> {
  await expect
    .poll(() => page.run(`document.querySelector('.VPSwitchAppearance[title*=theme]') !== null`), soon)
    .toBe(true)
  await page.run(`void dispatchEvent(new Event('scroll'))`)
}
