/** The script tag speaks the language of the page, and loads no other language. */
import { de } from '../src/locales/de.ts'
import { en } from '../src/locales/en.ts'
import { he } from '../src/locales/he.ts'
import { languages } from '../src/locales/languages.ts'
import { payElement } from './merchant-page.ts'
import { core, expect, forget, openBody, test } from './test.ts'
import { drawnBackwards, widgetOn } from './widget.ts'

const script = '<script src="/paywindow.js"></script>'

test('it is that of the page around it', async ({ page, shop }) => {
  await openBody(page, `<main lang="de-AT"><h1>Kasse</h1>${payElement}</main>${script}`)
  const widget = widgetOn(page)
  await expect(widget.field(de.address)).toHaveCount(0)
  await expect(widget.root.getByText(de.sendExactly, { exact: true })).toBeVisible()
  await expect(widget.root).toHaveAttribute('lang', 'de-AT')
  await expect(widget.root).toHaveAttribute('dir', 'ltr')
  expect(languageRequests(shop)).toEqual(['GET /locales/de.json'])
})

test('it is that of the page where the script is a module beside the element', async ({ page, shop }) => {
  await openBody(
    page,
    `<main lang="de"><h1>Kasse</h1>${payElement}</main><script type="module" src="/paywindow.js"></script>`,
  )
  await expect(widgetOn(page).root.getByText(de.sendExactly, { exact: true })).toBeVisible()
  expect(languageRequests(shop)).toEqual(['GET /locales/de.json'])
})

test('from right to left the card is mirrored, and what is copied is not', core, async ({ page, shop }) => {
  await openBody(
    page,
    `<main dir="rtl"><h1>1</h1>${payElement.replace('<pay-window', '<pay-window locale="he"')}</main>${script}`,
  )
  const widget = widgetOn(page)
  await expect(widget.root.getByText(he.sendExactly, { exact: true })).toBeVisible()
  await expect(widget.root).toHaveAttribute('dir', 'rtl')
  for (const text of await widget.root.locator('.pw-exact, .pw-amount').all())
    expect(await drawnBackwards(text)).toBe(false)
  expect(languageRequests(shop)).toEqual(['GET /locales/he.json'])
})

test('English needs no file, and a language that is not ours is English', async ({ page, shop }) => {
  await openBody(page, `<main lang="sv"><h1>Kassa</h1>${payElement}</main>${script}`)
  const widget = widgetOn(page)
  await expect(widget.root.getByText(en.sendExactly, { exact: true })).toBeVisible()
  await expect(widget.root).toHaveAttribute('lang', 'en')
  expect(languageRequests(shop)).toEqual([])
})

test('a file that is missing leaves English', core, async ({ page, complaints }) => {
  await page.route('**/locales/*.json', (route) => route.fulfill({ status: 404, body: 'nothing here' }))
  await openBody(page, `<main lang="de"><h1>Kasse</h1>${payElement}</main>${script}`)
  const widget = widgetOn(page)
  await expect(widget.root.getByText(en.sendExactly, { exact: true })).toBeVisible()
  await expect(widget.root).toHaveAttribute('lang', 'en')
  forget(complaints, '404')
})

test('a slow file holds up no payment: English after 2 s, and the language when it comes', async ({ page }) => {
  let isHeld = true
  await page.route('**/locales/de.json', async (route) => {
    await expect.poll(() => isHeld).toBe(false)
    await route.continue()
  })
  await page.clock.install()
  await openBody(page, `<main lang="de"><h1>Kasse</h1>${payElement}</main>${script}`)
  const widget = widgetOn(page)
  // Without text, but at its full height.
  await expect(widget.root).toHaveText('', { useInnerText: true })
  expect((await widget.root.boundingBox())?.height).toBeGreaterThan(600)
  await page.clock.runFor(2_000)
  await expect(widget.root.getByText(en.sendExactly, { exact: true })).toBeVisible()
  isHeld = false
  await expect(widget.root.getByText(de.sendExactly, { exact: true })).toBeVisible()
})

test("the page's own texts stand over those of the language", async ({ page }) => {
  await openBody(page, `<main lang="de"><h1>Kasse</h1>${payElement}</main>${script}`)
  await page.evaluate(() =>
    Object.assign(document.querySelector('pay-window') ?? {}, { texts: { sendExactly: 'Bitte genau' } }),
  )
  await expect(widgetOn(page).root.getByText('Bitte genau', { exact: true })).toBeVisible()
  await expect(widgetOn(page).root.getByText(de.toAddress, { exact: true })).toBeVisible()
})

test('the modal speaks it too', async ({ page }) => {
  await openBody(page, `<main><h1>Kasse</h1><button>Los</button></main>${script}`)
  await page.evaluate(() => window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', locale: 'de' }))
  await expect(page.getByRole('button', { name: de.close, exact: true })).toBeVisible()
  await expect(page.getByRole('dialog', { name: de.widgetName })).toBeVisible()
})

test('the examples of prices and times are what this browser itself would write', async ({ page }) => {
  await openBody(page, '<main></main>')
  const files = languages.filter((language) => language !== 'en').map((language) => `/locales/${language}.json`)
  const differences = await page.evaluate(
    async ({ files, en }) => {
      const others = await Promise.all(files.map(async (file) => (await fetch(file)).json()))
      return [en, ...others].flatMap(({ formsOf, priceForms, timeForms }) =>
        formsOf === '-'
          ? []
          : formsOf.split(' ').flatMap((locale: string) => {
              const prices = priceForms.split(' ').map((form: string) => {
                const style = { style: 'currency', currency: form.slice(0, 3) } as const
                return [form.slice(4), new Intl.NumberFormat(locale, style).format(0)]
              })
              const times = timeForms.split('|').map((form: string, i: number) => {
                const { format } = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
                return [form, format(new Date(2026, 0, 1, 9 + 12 * i, 5))]
              })
              return [...prices, ...times].filter(([ours, its]) => ours !== its)
            }),
      )
    },
    { files, en },
  )
  expect(differences).toEqual([])
})

function languageRequests({ requests }: { readonly requests: readonly string[] }): string[] {
  return requests.filter((request) => request.includes('/locales/'))
}
