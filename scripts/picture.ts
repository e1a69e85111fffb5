/**
 * Takes the README's picture of the widget from the shop that runs on PORT (4242): `npm start`, then `node scripts/picture.ts`.
 */
import { chromium } from 'playwright'
import { findChromium } from './browsers.ts'

const shop = `http://localhost:${process.env.PORT || 4242}/`
const executablePath = findChromium()
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })

async function widget(colorScheme: 'light' | 'dark'): Promise<string> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 1000 },
    colorScheme,
    deviceScaleFactor: 1.5,
  })
  const page = await context.newPage()
  await page.goto(shop)
  await page.getByRole('button', { name: /Bitcoin/ }).click()
  await page.getByText('Waiting for deposit').first().waitFor()
  const picture = await page.locator('pay-window').screenshot()
  await context.close()
  return picture.toString('base64')
}

const pictures = [await widget('light'), await widget('dark')]
const page = await browser.newPage({ viewport: { width: 902, height: 1000 }, deviceScaleFactor: 1.5 })
const images = pictures.map((picture) => `<img width="415" src="data:image/png;base64,${picture}">`).join('')
const style = 'margin:0;padding:24px;display:flex;gap:24px;background:linear-gradient(90deg,#eef0f4 50%,#0e1015 50%)'
await page.setContent(`<body style="${style}">${images}</body>`)
await page.locator('body').screenshot({ path: 'docs/images/widget.png' })
await browser.close()
