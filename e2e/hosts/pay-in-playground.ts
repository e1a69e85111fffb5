/** Opens all of the documentation, and pays in its playground. */
import { expect } from '@playwright/test'
import { type Simulation, simulations } from '../../src/demo/payer-panel.ts'
import { en } from '../../src/locales/en.ts'
import { serveSite, sitePages } from '../site-server.ts'
import type { Payer, Visit } from './engines/payer.ts'
import { listener, openEveryPage, soon, startParts, withoutWorker } from './every-page.ts'

/** What a payer does after choosing, each deed with the heading that the page shows then. */
const ways: Readonly<Record<string, readonly (readonly [deed: Simulation, title: string])[]>> = {
  'the exact amount': [
    ['exact', en.seenTitle],
    ['confirm', en.paidTitle],
  ],
  'too little, then the rest': [
    ['less', en.shortTitle],
    ['top-up', en.seenTitle],
    ['confirm', en.paidTitle],
  ],
  'too much': [
    ['more', en.overTitle],
    ['confirm', en.paidTitle],
  ],
  nothing: [['expire', en.expiredTitle]],
}

/** @throws Error that says what was not as it must be. */
export async function payInPlayground(payer: Payer): Promise<void> {
  const paths = [...sitePages(), 'gallery/index.html?theme=dark']
  const site = await serveSite(listener + withoutWorker)
  try {
    await open(payer, `${site.url}playground.html`, pressButtons)
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

/** The clock and the buttons around the frame. Each says what came of it. */
async function pressButtons(page: Visit): Promise<void> {
  await startParts(page)
  // When the frame has been loaded, its widget is drawn once more, and the buttons can be pressed.
  await expect
    .poll(() => page.run(`document.querySelector('.playground .buttons button:enabled') !== null`), soon)
    .toBe(true)
  await page.enterFrame()
  await page.choose('Bitcoin')
  await page.press('21 min later')
  await page.shows(en.expiredTitle)
  await says(page, '21 min have passed')
  await page.press('Another cart')
  await page.choose('XRP')
  await page.press(simulations.exact)
  await page.shows(en.seenTitle)
  await page.press(simulations.confirm)
  await page.shows(en.paidTitle)
  expect(await page.run('[...top.complaints, ...top.frames[0].complaints]')).toEqual([])
}

async function says(page: Visit, text: string): Promise<void> {
  const outcome = `top.document.querySelector('.playground [role=status]').textContent`
  await expect.poll(() => page.run(outcome)).toContain(text)
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
