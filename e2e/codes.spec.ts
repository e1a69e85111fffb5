/** What a wallet reads from the screen is what the payer was told, to the character. */
import { en } from '../src/locales/en.ts'
import { readCode } from './qr.ts'
import { builds, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

/** What the code holds at first, for each method of the shop. */
const methods: readonly [method: string, text: (address: string, amount: string) => string][] = [
  ['Bitcoin', (address, amount) => `bitcoin:${address}?amount=${amount}`],
  ['Litecoin', (address, amount) => `litecoin:${address}?amount=${amount}`],
  ['Ether', (address) => address],
  ['USD Coin', (address) => address],
  ['Tether', (address) => address],
  ['XRP', (address) => address],
  ['Stellar Lumens', (address) => address],
]

for (const { build, path } of builds) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${build}, ${colorScheme}: the code of every method reads as its address, or its URI`, async ({
      page,
      complaints,
    }) => {
      await page.emulateMedia({ colorScheme })
      await openPage(page, path)
      const widget = widgetOn(page)
      for (const [method, text] of methods) {
        await widget.choose(method)
        const [address, amount] = [await widget.read(en.address), await widget.read(en.amount)]
        // Screenshots put styles into the page that its policy refuses: what it refused before is what counts.
        expect(complaints).toEqual([])
        expect(await readCode(widget.code)).toBe(text(address, amount))
        complaints.splice(0)
        await widget.root.getByRole('button', { name: en.change }).click()
      }
    })
  }

  test(`${build}: the tag has a code of its own`, async ({ page, complaints }) => {
    await openPage(page, path)
    const widget = widgetOn(page)
    await widget.choose('XRP')
    const tag = await widget.read(en.destinationTag)
    await widget.root.getByRole('radio', { name: en.destinationTag }).check()
    expect(complaints).toEqual([])
    expect(await readCode(widget.code)).toBe(tag)
    complaints.splice(0)
  })
}
