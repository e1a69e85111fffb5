/** Takes the pictures of docs/images from the built gallery. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { serveGallery } from '../e2e/gallery-server.ts'
import { ensureChromium } from './browsers.ts'
import { drawnWith, ensureFonts, fontSets } from './fonts.ts'
import { root } from './paths.ts'

interface Sheet {
  readonly name: string
  readonly query: string
  /** Width of the picture, in CSS pixels. */
  readonly width: number
  /** Of the picture. Default: of what is in it. */
  readonly height?: number
  /** Drawn for a touch screen, which has the buttons before the QR code. */
  readonly touch?: boolean
}

const sheets: readonly Sheet[] = [
  { name: 'states', query: 'only=choosing,waiting-tag,seen,paid&width=400', width: 1760 },
  { name: 'states-light', query: 'width=400', width: 2620 },
  { name: 'states-dark', query: 'width=400&theme=dark', width: 2620 },
  { name: 'states-phone', query: 'width=320', width: 2140, touch: true },
  { name: 'states-wide', query: 'width=760', width: 3200 },
  { name: 'states-rtl', query: 'width=400&lang=ar&theme=dark', width: 2620 },
]

const server = await serveGallery()
// Noto Sans is Android's font for most languages, and close to the fonts of other systems.
const fonts = fontSets.filter(({ name }) => name === 'Noto')
ensureFonts(fonts)
const browser = await chromium.launch({ executablePath: ensureChromium(), env: drawnWith(fonts[0]) })
try {
  for (const sheet of sheets) save(sheet.name, await take(sheet))
  for (const theme of ['light', 'dark']) {
    const wide = { query: `only=waiting&width=672&theme=${theme}`, width: 720, height: 640 }
    const narrow = { query: `only=waiting&width=392&theme=${theme}`, width: 440, height: 640, touch: true }
    save(`first-${theme}`, await take(wide, 1.5))
    save(`first-phone-${theme}`, await take(narrow, 1.5))
  }
  const phone = await take({ query: 'only=waiting-tag&width=358', width: 390, height: 844, touch: true }, 1.5)
  const card = await take({ query: 'only=waiting&width=415&theme=dark', width: 463 }, 1.5)
  save('widget', await beside(phone, card))
} finally {
  await browser.close()
  await server.close()
}

/** Takes the states of a query, without the controls of the gallery. */
async function take(
  { query, width, height, touch = false }: Omit<Sheet, 'name'>,
  deviceScaleFactor = 1,
): Promise<Buffer> {
  const page = await browser.newPage({
    viewport: { width, height: 1000 },
    deviceScaleFactor,
    reducedMotion: 'reduce',
    hasTouch: touch,
    isMobile: touch,
  })
  await page.goto(`http://127.0.0.1:${server.port}/?${query}`)
  await page.locator('.pw').first().waitFor()
  await page.addStyleTag({ content: 'h1, .gallery-switches { display: none }' })
  if (/only=[\w-]+&/.test(query)) await page.addStyleTag({ content: '.gallery-state > h2 { display: none }' })
  return shoot(page, height)
}

/** A phone, and a card on a desk. */
async function beside(phone: Buffer, card: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 960, height: 1000 }, deviceScaleFactor: 1.5 })
  const image = (picture: Buffer, width: number, style = '') =>
    `<img width="${width}" style="${style}" src="data:image/png;base64,${picture.toString('base64')}">`
  await page.setContent(`<body style="margin:0;display:flex;justify-content:space-evenly;align-items:center;background:#0a0b0e">
    ${image(phone, 390, 'border:10px solid #2a2d35;border-radius:54px')}${image(card, 463)}</body>`)
  return shoot(page)
}

async function shoot(page: Page, height?: number): Promise<Buffer> {
  // The whole page must be in view: a full-page screenshot would turn off touch.
  const box = await page.locator('body').boundingBox()
  if (box) await page.setViewportSize({ width: Math.ceil(box.width), height: height ?? Math.ceil(box.height) })
  const picture = await page.screenshot()
  await page.close()
  return picture
}

function save(name: string, picture: Buffer): void {
  writeFileSync(join(root, 'docs', 'images', `${name}.png`), picture)
  console.log(`docs/images/${name}.png ${(picture.length / 1000).toFixed(0)} kB`)
}
