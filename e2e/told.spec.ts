/** What a developer reads for each mistake: in the console, and on `localhost` on the page. */
import type { Locator } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { answering, mistakes, refusal, script } from './mistakes.ts'
import { core, expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

const hosts = { localhost: 'localhost', 'any other host': '127.0.0.1' } as const

for (const { name, prepare, head = '', body = payElement, policy = {}, console, onLocalhost, fix } of mistakes)
  for (const [where, host] of Object.entries(hosts))
    test(`${name}: in the console once, and on the page with its fix or not, on ${where}`, async ({
      page,
      shop,
      complaints,
    }) => {
      await prepare?.(page)
      const { origin } = new URL(shop.url.replace('127.0.0.1', host))
      const parts: string[] = []
      const fixes: string[] = []
      page.on('console', (message) => message.type() === 'info' && fixes.push(message.text()))
      page.on('request', (request) => parts.push(request.url()))
      const other = origin.replace(host, host === 'localhost' ? '127.0.0.1' : 'localhost')
      const filled = (text: string) => text.replaceAll('{page}', origin).replaceAll('{other}', other)
      await servePage(page, `${origin}/pay`, { head: `${head}${script}`, body: filled(body), policy })
      await page.goto(`${origin}/pay`)
      const said = () => complaints.filter((line) => line.startsWith('Paywindow'))
      if (console !== '')
        await expect.poll(said, { timeout: 15_000 }).toEqual([expect.stringContaining(filled(console))])
      const notes = page.getByRole('region', { name: 'Notes for the developer' })
      if (host === 'localhost') {
        await expect(notes).toBeVisible()
        expect(await withBackticks(notes)).toContain(fix)
        if (onLocalhost) expect(said()).toEqual([expect.stringContaining(onLocalhost)])
        else if (!said().some((line) => line.includes(fix)))
          expect(fixes).toContainEqual(expect.stringMatching(/^Paywindow Fix: .*troubleshooting\.md$/s))
      } else {
        expect(said()).toHaveLength(console === '' ? 0 : 1)
        expect(fixes).toEqual([])
        if (console === '') await widgetOn(page).asksForMoney()
        expect(parts.filter((url) => url.endsWith('/paywindow-developer.js'))).toEqual([])
        await expect(notes).toHaveCount(0)
      }
      complaints.splice(0)
    })

function withBackticks(notes: Locator): Promise<string | null> {
  return notes.evaluate((section) => {
    for (const code of section.querySelectorAll('code')) code.textContent = `\`${code.textContent}\``
    return section.textContent
  })
}

test('a page without a mistake shows its developer nothing', core, async ({ page, shop }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await servePage(page, `${origin}/pay`, { head: script, body: payElement })
  const loaded = page.waitForResponse((response) => response.url().endsWith('/paywindow-developer.js'))
  await page.goto(`${origin}/pay`)
  expect((await loaded).status()).toBe(200)
  await widgetOn(page).asksForMoney()
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toHaveCount(0)
})

test('a component on a page of another language says that it has no texts', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await page.route('**/react', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('lang="en"', 'lang="de"') })
  })
  await page.goto(`${origin}/react`)
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await expect(notes).toContainText('stays English: texts for de are not set')
  expect(complaints.splice(0)).toEqual(['Paywindow stays English: texts for de are not set'])
})

test('an option of the component that is misspelt', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await page.route('**/storefront.js', async (route) => {
    const response = await route.fetch()
    const code = await response.text()
    await route.fulfill({ response, body: code.replace(/handoverUrl(?=:["'`]\/pay)/, 'handoverUri') })
  })
  await page.goto(`${origin}/react`)
  const words = 'The option handoverUri is unknown. Is handoverUrl meant?'
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toContainText(words)
  expect(complaints.splice(0)).toEqual([`Paywindow ${words}`])
})

test('an option of the modal that is misspelt', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await servePage(page, `${origin}/pay`, { head: script, body: '' })
  await page.goto(`${origin}/pay`)
  await page.evaluate(() => {
    const options = { endpoint: '/paywindow', reference: 'order-1042', tehme: 'dark' }
    window.Paywindow?.open(options)
  })
  const words = 'The option tehme is unknown. Is theme meant?'
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toContainText(words)
  expect(complaints.splice(0)).toEqual([`Paywindow ${words}`])
})

test('notes can be closed, stay closed, and lie over a modal', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await answering({ status: 404, body: 'Not found' })(page)
  await servePage(page, `${origin}/pay`, { head: script, body: '' })
  await page.goto(`${origin}/pay`)
  await page.evaluate(() => window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042' }))
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await notes.getByRole('button', { name: 'Close' }).click()
  await expect(notes).toHaveCount(0)
  await page.getByRole('button', { name: en.retry }).click()
  await expect(page.getByRole('button', { name: en.retry })).toBeVisible()
  await expect(notes).toHaveCount(0)
  complaints.splice(0)
})

test('what the server has said and was closed does not come back in the fewer words of the browser', async ({
  page,
  shop,
  complaints,
}) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  const headers = { 'paywindow-notes': JSON.stringify(['offer_invalid: merchant is not an object']) }
  await answering({ status: 500, body: refusal('offer_invalid', 'said'), headers })(page)
  await servePage(page, `${origin}/pay`, { head: script, body: payElement })
  await page.goto(`${origin}/pay`)
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await notes.getByRole('button', { name: 'Close' }).click()
  const again = page.waitForResponse('**/paywindow/checkouts')
  await page.getByRole('button', { name: en.retry }).click()
  await again
  await expect(page.getByRole('button', { name: en.retry })).toBeVisible()
  await expect(notes).toHaveCount(0)
  complaints.splice(0)
})
