/** The browser draws with the project's fonts, so other tests do not depend on the machine. */
import { fontSets } from '../scripts/fonts.ts'
import { expect, test } from './gallery.ts'
import { platformFonts } from './platform-fonts.ts'
import { core } from './test.ts'

test(
  'texts, addresses and the bold in them are drawn with the fonts of the set',
  core,
  async ({ page, openGallery }, info) => {
    const set = fontSets.find(({ name }) => name === info.project.name) ?? fontSets[0]
    test.skip(set === undefined, 'Only Linux has fontconfig')
    if (set === undefined) return
    await openGallery('only=waiting')
    for (const [selector, family] of [
      ['.pw-label', set.sans],
      ['.pw-copy', set.sans],
      ['.pw-exact', set.mono],
      ['b.pw-group', set.mono],
    ] as const) {
      const families = (await platformFonts(page, selector)).map(({ familyName }) => familyName)
      expect(families, selector).toContain(family)
    }
  },
)
