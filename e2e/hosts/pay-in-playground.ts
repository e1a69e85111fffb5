/** Opens the documentation, and pays in its playground, whose frame has the shop, its server and the service in it. */
import { expect } from '@playwright/test'
import { en } from '../../src/locales/en.ts'
import { serveSite } from '../site-server.ts'
import type { Payer } from './engines/payer.ts'

/** @throws Error that says what was not as it must be. */
export async function payInPlayground(payer: Payer): Promise<void> {
  const site = await serveSite()
  try {
    for (const path of ['', 'start/node.html', 'playground.html']) {
      const page = await payer.open(site.url + path)
      expect(await page.run('document.querySelector("h1, h2")?.textContent')).toBeTruthy()
      expect(page.complaints(), path).toEqual([])
      await page.close()
    }
    const page = await payer.open(`${site.url}frame/index.html`)
    await page.choose('Bitcoin')
    expect(await page.read(en.address)).toMatch(/^tb1|^bc1/)
    for (const deed of ['exact', 'confirm']) await page.run(`window.playground.simulate('${deed}')`)
    await page.waitUntilPaid()
    expect(page.complaints()).toEqual([])
    await page.close()
  } finally {
    await site.close()
  }
}
