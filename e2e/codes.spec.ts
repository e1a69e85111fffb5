/** What a wallet reads from the screen is what the payer was told, to the character. */
import type { Locator } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { inspectCode, readCode } from './qr.ts'
import { builds, core, expect, openPage, test } from './test.ts'
import type { Widget } from './widget.ts'

/** Looks that could draw a code light on dark, or let its border run into its surroundings. */
const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours on black', { colorScheme: 'dark', forcedColors: 'active' }],
] as const

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
    test(
      `${build}, ${colorScheme}: the code of every method reads as its address, or its URI`,
      colorScheme === 'light' ? core : {},
      async ({ page, complaints }) => {
        await page.emulateMedia({ colorScheme })
        const widget = await openPage(page, path)
        for (const [method, text] of methods) {
          await widget.choose(method)
          const [address, amount] = [await widget.read(en.address), await widget.read(en.amount)]
          // Screenshots add styles that the policy refuses, so complaints are looked at before.
          expect(complaints).toEqual([])
          expect(await readCode(widget.code)).toBe(text(address, amount))
          complaints.splice(0)
          await widget.root.getByRole('button', { name: en.change }).click()
        }
      },
    )
  }

  test(`${build}: the tag has a code of its own`, async ({ page, complaints }) => {
    const widget = await openPage(page, path)
    await widget.choose('XRP')
    const tag = await widget.read(en.destinationTag)
    await widget.root.getByRole('button', { name: en.destinationTag, exact: true }).click()
    expect(complaints).toEqual([])
    expect(await readCode(widget.code)).toBe(tag)
    complaints.splice(0)
  })

  for (const [look, media] of looks) {
    test(`${build}, ${look}: every code is black on white, whole, in a border of four modules, and a seventh of it may be lost`, async ({
      page,
      complaints,
    }) => {
      await page.emulateMedia(media)
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      expect(await isCardLight(widget)).toBe(look === 'light')
      await expectWhole(widget.code)
      await widget.root.getByText(en.continueElsewhere).click()
      await expectWhole(widget.root.getByRole('img', { name: en.handoverCode }))
      await widget.root.getByRole('button', { name: en.change }).click()
      await widget.choose('XRP')
      await expectWhole(widget.code)
      await widget.root.getByRole('button', { name: en.destinationTag, exact: true }).click()
      await expectWhole(widget.code)
      complaints.splice(0)
    })
  }
}

test('an element that is dark on a light page has the same code', async ({ page, complaints }) => {
  const widget = await openPage(page, '/')
  await widget.choose('Litecoin')
  expect(await isCardLight(widget)).toBe(true)
  await page.locator('pay-window').evaluate((element) => element.setAttribute('theme', 'dark'))
  await expect.poll(() => isCardLight(widget)).toBe(false)
  await expectWhole(widget.code)
  complaints.splice(0)
})

function isCardLight({ root }: Widget): Promise<boolean> {
  return root.locator('.pw-card').evaluate((card) => getComputedStyle(card).backgroundColor.startsWith('rgb(255, 25'))
}

async function expectWhole(code: Locator): Promise<void> {
  const { level, misdrawn } = await inspectCode(code)
  expect(misdrawn).toEqual([])
  // The encoder takes a better level where that makes the code no larger.
  expect(['medium', 'quartile', 'high']).toContain(level)
}
