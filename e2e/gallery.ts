/** `test` with the gallery, which shows the states that its URL names (src/gallery/main.tsx). */
import { test as base, expect, type Page } from '@playwright/test'
import { serveGallery } from './gallery-server.ts'

export { expect }

/** For a test with the same result under every set of fonts: it runs under the first alone. */
export const once = { tag: '@once' }

interface Fixtures {
  /** Opens the gallery with a query such as `only=waiting,paid&lang=ar`, until it is drawn. */
  openGallery: (query: string) => Promise<void>
}

/** `test` with `openGallery`, and one gallery server for each worker. */
export const test = base.extend<Fixtures, { galleryPort: number }>({
  galleryPort: [
    async ({}, use) => {
      const server = await serveGallery()
      await use(server.port)
      await server.close()
    },
    { scope: 'worker' },
  ],
  openGallery: async ({ page, galleryPort }, use) => {
    await use(async (query) => {
      await page.goto(`http://127.0.0.1:${galleryPort}/?${query}`)
      await page.locator('.pw').first().waitFor()
    })
  },
})

/** Sets the width of all states, in pixels. */
export function setWidth(page: Page, width: number): Promise<void> {
  return page.locator('.gallery-state').evaluateAll((states, text) => {
    for (const state of states) if (state instanceof HTMLElement) state.style.width = text
  }, `${width}px`)
}
