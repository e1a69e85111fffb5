/** Opens all of the documentation, and pays in its playground, whose frame has the shop, its server and the service in it. */
import { expect } from '@playwright/test'
import type { Simulation } from '../../src/demo/payer-panel.ts'
import { en } from '../../src/locales/en.ts'
import { serveSite, sitePages } from '../site-server.ts'
import type { Payer, Visit } from './engines/payer.ts'
import { listener, openEveryPage, withoutWorker } from './every-page.ts'

/** What a payer does after choosing, each deed with the heading that the page shows then. */
const ways: Readonly<Record<string, readonly (readonly [deed: Simulation, title: string])[]>> = {
  'the exact amount': [
    ['exact', en.seenTitle],
    ['confirm', en.paidTitle],
  ],
  'too little, then the rest': [
    ['less', en.seenTitle],
    ['top-up', en.seenTitle],
    ['confirm', en.paidTitle],
  ],
  'too much': [
    ['more', en.seenTitle],
    ['confirm', en.paidTitle],
  ],
  nothing: [['expire', en.expiredTitle]],
}

/** @throws Error that says what was not as it must be. */
export async function payInPlayground(payer: Payer): Promise<void> {
  const paths = [...sitePages(), 'gallery/index.html?theme=dark']
  const site = await serveSite(listener + withoutWorker)
  try {
    await open(payer, site.url, (page) => openEveryPage(page, site.url, paths))
    for (const frame of ['index.html', 'react.html'])
      for (const deeds of Object.values(ways))
        await open(payer, `${site.url}frame/${frame}`, (page) => pay(page, deeds))
  } finally {
    await site.close()
  }
}

async function open(payer: Payer, url: string, look: (page: Visit) => Promise<void>): Promise<void> {
  const page = await payer.open(url)
  try {
    await look(page)
    expect(await page.complaints(), url).toEqual([])
  } finally {
    await page.close()
  }
}

async function pay(page: Visit, deeds: readonly (readonly [deed: Simulation, title: string])[]): Promise<void> {
  await page.choose('XRP')
  expect(await page.read(en.address)).toMatch(/^r\w{24,}$/)
  expect(await page.read(en.destinationTag)).toMatch(/^\d+$/)
  for (const [deed, title] of deeds) {
    await page.run(`window.playground.simulate('${deed}')`)
    await page.shows(title)
  }
  // Nothing is left to send to.
  expect(await page.countFields()).toBe(0)
}
