/** Reads a payment code as a wallet does, from pixels. The decoder is unrelated to the encoder. */
import { type Locator, test } from '@playwright/test'
import { PNG } from 'pngjs'
import encodeQR from 'qr'
import { decodeQR } from 'qr/decode.js'

/** Frames that a camera takes of a code in the time in which a payer keeps still. */
const frames = 5

/** Reads the text of the code on the screen, as a camera would: frame after frame. */
export async function readCode(code: Locator): Promise<string> {
  for (let frame = 1; ; frame++) {
    const picture = await code.screenshot()
    try {
      return readPicture(picture)
    } catch (error) {
      await test.info().attach(`frame ${frame}, which cannot be read`, { body: picture, contentType: 'image/png' })
      if (frame === frames) throw error
    }
  }
}

/** Reads the text of the code on a PNG. */
export function readPicture(picture: Buffer): string {
  const { width, height, data } = PNG.sync.read(picture)
  return decodeQR({ width, height, data })
}

/** Width of the white border that scanners need around a code, in modules (ISO/IEC 18004, 9.1). */
const border = 4

/** Levels of error correction, by the two bits that stand for them (ISO/IEC 18004, table 12). */
const levels = ['medium', 'low', 'high', 'quartile'] as const

interface Drawing {
  /** Level of error correction: from low to high, 7, 15, 25 or 30 % of a code may be unreadable. */
  readonly level: (typeof levels)[number]
  /**
   * The first modules, border included and the coin left out, that are not black or white as
   * another encoder draws them: `row 3, column 40: #ff69b4`. Round corners may cut off corners of
   * the border.
   */
  readonly misdrawn: readonly string[]
}

/** Checks every module of a code. A decoder guesses, corrects errors, and reads inverted codes. */
export async function inspectCode(code: Locator): Promise<Drawing> {
  const modules = await readModules(code)
  const { level, mask } = readFormat(modules)
  const expected = encodeQR(await readCode(code), 'raw', { ecc: level, mask, border })
  const heart = await heartOf(code)
  const isInHeart = (x: number, y: number) =>
    Math.hypot(x + 0.5 - expected.length / 2, y + 0.5 - expected.length / 2) < (heart * expected.length) / 2 + 1
  const isBorder = (at: number) => at < border || at >= expected.length - border
  const misdrawn = expected.flatMap((row, y) =>
    row.flatMap((isBlack, x) => {
      const colour = modules[y]?.[x] ?? 'missing'
      const isRight = colour === (isBlack ? '#000000' : '#ffffff') || (colour === cutOff && isBorder(x) && isBorder(y))
      return isRight || isInHeart(x, y) ? [] : `row ${y}, column ${x}: ${colour}`
    }),
  )
  return { level, misdrawn: misdrawn.slice(0, 9) }
}

/**
 * The width of the coin in the middle of a code, as a part of the code's; 0 where there is none.
 */
function heartOf(code: Locator): Promise<number> {
  return code.evaluate((svg) => {
    const coin = svg.parentElement?.querySelector('.pw-heart')
    return coin ? coin.getBoundingClientRect().width / svg.getBoundingClientRect().width : 0
  })
}

const cutOff = 'cut off'

/** Returns the colours of all modules, `#rrggbb`, by rows. Pixels between modules do not count. */
async function readModules(code: Locator): Promise<string[][]> {
  await code.scrollIntoViewIfNeeded()
  const box = await code.boundingBox()
  if (!box) throw new Error('the code is not on the screen')
  const { count, radius } = await code.evaluate((svg) => ({
    count: svg instanceof SVGSVGElement ? svg.viewBox.baseVal.width : 0,
    radius: Number.parseFloat(getComputedStyle(svg).borderTopLeftRadius),
  }))
  const picture = PNG.sync.read(await code.screenshot())
  const size = box.width / count
  // The screenshot begins at a whole pixel, but the element may not.
  const [left, top] = [box.x - Math.floor(box.x), box.y - Math.floor(box.y)]
  const beyondCentre = (at: number) => Math.max(radius - at, at - (box.width - radius), 0)
  const isOnCode = (x: number, y: number) =>
    Math.hypot(beyondCentre(x + 0.5 - left), beyondCentre(y + 0.5 - top)) <= radius - 1
  const pixelsOf = (module: number, start: number) =>
    Array.from({ length: picture.width }, (_, at) => at).filter(
      (at) => at >= module * size + start + 1 && at + 1 <= (module + 1) * size + start - 1,
    )
  const colourOf = (row: number, column: number) => {
    const places = pixelsOf(row, top).flatMap((y) => pixelsOf(column, left).map((x) => ({ x, y })))
    const colours = new Set(
      places
        .filter(({ x, y }) => isOnCode(x, y))
        .map(({ x, y }) => (y * picture.width + x) * 4)
        .map((at) => `#${picture.data.subarray(at, at + 3).toString('hex')}`),
    )
    return [...colours].join(' and ') || cutOff
  }
  return Array.from({ length: count }, (_, row) => Array.from({ length: count }, (_, column) => colourOf(row, column)))
}

/** Reads the format information at the upper left corner. Its check bits make it certain. */
function readFormat(modules: readonly (readonly string[])[]): Pick<Drawing, 'level'> & { readonly mask: number } {
  const along = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => modules[border + 8]?.[border + column])
  const upwards = [7, 5, 4, 3, 2, 1, 0].map((row) => modules[border + row]?.[border + 8])
  const word = [...along, ...upwards].reduce((sum, colour) => sum * 2 + (colour === '#000000' ? 1 : 0), 0)
  const data = Array.from({ length: 32 }, (_, at) => at).find((at) => formatWord(at) === word) ?? -1
  const level = levels[data >> 3]
  if (!level)
    throw new Error(`not black on white in a border of ${border} modules: no code has the format ${word.toString(2)}`)
  return { level, mask: data & 7 }
}

/** Adds ten check bits to five format bits, and masks all of them (ISO/IEC 18004, 7.9.1). */
function formatWord(data: number): number {
  let rest = data << 10
  for (let bit = 14; bit >= 10; bit -= 1) if (rest & (1 << bit)) rest ^= 0x537 << (bit - 10)
  return ((data << 10) | rest) ^ 0x5412
}
