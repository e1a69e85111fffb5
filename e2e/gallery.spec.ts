/** Every state of the widget: axe finds nothing, and no two states look the same. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { PNG } from 'pngjs'
import { expectNoFindingsInAny } from './axe.ts'
import { expect, test } from './gallery.ts'

for (const look of ['lang=en&theme=light', 'lang=ar&theme=dark']) {
  test(`axe finds nothing in any state: ${look}`, async ({ page, openGallery }) => {
    test.setTimeout(120_000)
    await openGallery(look)
    expect(await page.locator('.gallery-state').count()).toBeGreaterThan(25)
    await page.locator('.pw details').evaluateAll((all) => {
      for (const details of all) if (details instanceof HTMLDetailsElement) details.open = true
    })
    await expectNoFindingsInAny(page)
  })
}

for (const look of ['lang=en&theme=light&width=400', 'lang=en&theme=dark&width=320', 'lang=he&theme=light&width=760']) {
  test(`no state can be taken for another: ${look}`, async ({ page, openGallery }, info) => {
    test.setTimeout(120_000)
    await openGallery(look)
    const boxes = () =>
      page.locator('.gallery-state').evaluateAll((states) =>
        states.map((state) => {
          const box = state.querySelector('.pw')?.getBoundingClientRect() ?? new DOMRect()
          return { name: state.id, x: box.x, y: box.y + scrollY, width: box.width, height: box.height }
        }),
      )
    // On a busy machine cards still grow when all states are there.
    const [whole, cards] = await standing(boxes, async () =>
      PNG.sync.read(await page.screenshot({ fullPage: true, animations: 'disabled' })),
    )
    const seen = new Map<string, string>()
    for (const { name, x, y, width, height } of cards) {
      const picture = new PNG({ width: Math.floor(width), height: Math.floor(height) })
      PNG.bitblt(whole, picture, Math.round(x), Math.round(y), picture.width, picture.height)
      writeFileSync(info.outputPath(`${name}.png`), PNG.sync.write(picture))
      const digest = createHash('sha256').update(picture.data).digest('hex')
      expect(seen.get(digest), `looks like ${name}`).toBeUndefined()
      seen.set(digest, name)
    }
    expect(seen.size).toBeGreaterThan(25)
  })
}

test('in forced colours the code stays black on white, and the chosen and the current item can be distinguished', async ({
  page,
  openGallery,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await openGallery('only=waiting,seen,paid')
  const [quiet, modules] = await page
    .locator('#waiting .pw-qr-code path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill))
  expect([quiet, modules]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  const picked = page.locator('#waiting .pw-where input:checked + span')
  expect(await picked.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
})

/** What `take` gives once the boxes are the same before and after it, and these boxes. */
async function standing<Taken, Boxes>(boxes: () => Promise<Boxes>, take: () => Promise<Taken>) {
  for (let before = await boxes(); ; ) {
    const [taken, after] = [await take(), await boxes()]
    if (isDeepStrictEqual(before, after)) return [taken, after] as const
    before = after
  }
}
