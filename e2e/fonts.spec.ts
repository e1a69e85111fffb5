/** Under a set of fonts, the browser draws with that set: without this test the others of its project would prove nothing. */
import { fontSets } from '../scripts/fonts.ts'
import { expect, test } from './gallery.ts'
import { platformFonts } from './platform-fonts.ts'

test('texts, addresses and the bold in them are drawn with the fonts of the set', async ({
  page,
  openGallery,
}, info) => {
  const set = fontSets.find(({ name }) => name === info.project.name)
  if (!set) throw new Error(`${info.project.name} is no set of fonts`)
  await openGallery('only=waiting')
  for (const [selector, family] of [
    ['.pw-label', set.sans],
    ['.pw-button', set.sans],
    ['.pw-exact', set.mono],
    ['b.pw-group', set.mono],
  ] as const) {
    const families = (await platformFonts(page, selector)).map(({ familyName }) => familyName)
    expect(families, selector).toContain(family)
  }
})
