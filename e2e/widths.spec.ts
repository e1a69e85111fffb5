/** How wide the widget is where a page asks, and does not say. */
import { payElement } from './merchant-page.ts'
import { builds, core, dress, expect, openBody, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

/** As a card. Firefox knows only the least width, from which a scroll bar may take some. */
const widths = { chromium: [480, 480], firefox: [270, 285] } as const
const isWide = (width: number, browser: string) => {
  const [least, most] = widths[browser === 'firefox' ? browser : 'chromium']
  expect(width).toBeGreaterThanOrEqual(least)
  expect(width).toBeLessThanOrEqual(most)
}

const places = {
  'in the middle of a column': 'main { display: flex; flex-direction: column; align-items: center }',
  'in a row': 'main { display: flex; justify-content: space-between }',
  'in the middle of a grid': 'main { display: grid; place-items: center }',
  'in a drawer': 'main { position: fixed; inset: 0 0 0 auto; overflow: auto }',
  'in a table': 'main { display: table }',
  'that is inline-block': 'pay-window { display: inline-block }',
  'on a page that is written from top to bottom': 'main { writing-mode: vertical-rl }',
}
for (const [where, css] of Object.entries(places))
  test(`${where} it is seen, and fits a phone`, core, async ({ page, browserName }) => {
    await page.setViewportSize({ width: 1000, height: 900 })
    await openBody(page, `<main><h1>Pay</h1>${payElement}</main><script src="/paywindow.js"></script>`)
    await dress(page, css)
    const widget = widgetOn(page)
    await widget.asksForMoney()
    const width = async () => Math.round((await widget.root.boundingBox())?.width ?? 0)
    isWide(await width(), browserName)
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await width()).toBeGreaterThanOrEqual(270)
    // A page of columns goes on beside the screen anyway.
    const beside = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (!css.includes('vertical')) expect(await page.evaluate(beside)).toBe(0)
  })

for (const { build, path } of builds)
  test(`${build}: in a narrow column it is as narrow`, core, async ({ page }) => {
    const widget = await openPage(page, path)
    await widget.choose('Bitcoin')
    await dress(page, ':has(> .pw, > pay-window) { display: grid; width: 300px !important; max-width: none }')
    expect((await widget.root.boundingBox())?.width).toBe(300)
  })

test('the component is seen in the middle of a column', core, async ({ page, browserName }) => {
  const widget = await openPage(page, '/react')
  await widget.choose('Bitcoin')
  await dress(
    page,
    ':has(> .pw) { display: flex; flex-direction: column; align-items: center; width: 700px !important; max-width: none }',
  )
  isWide((await widget.root.boundingBox())?.width ?? 0, browserName)
})
