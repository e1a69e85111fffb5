/** Asset icons as the service has them: PNG images of 20, 35 and 69 pixels. Drawn here, so that a test needs no network. */
import { sandboxAssets } from './assets.ts'
import { type Rgba, writePng } from './png.ts'

const sizes: Readonly<Record<string, number>> = { small: 20, medium: 35, large: 69 }

/** Initials on a grid of 5 by 7, one number of five bits for each row. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  B: [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  H: [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  L: [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
  M: [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
  S: [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
  T: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
  U: [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  X: [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
}

/** Samples of a pixel in each direction. The samples of a whole pixel are the number of steps in which an edge fades. */
const samples = 4
const steps = samples * samples

/** Path of an asset's icon: `/icons/btc-small.png`. */
export function iconPath(symbol: string, size: 'small' | 'medium' | 'large'): string {
  return `/icons/${symbol.toLowerCase()}-${size}.png`
}

/** The image at a path, or undefined when there is none. */
export function drawIcon(path: string): Uint8Array<ArrayBuffer> | undefined {
  const match = /^\/icons\/([a-z]+)-(small|medium|large)\.png$/.exec(path)
  const asset = sandboxAssets.find(({ symbol }) => symbol.toLowerCase() === match?.[1])
  const size = sizes[match?.[2] ?? '']
  if (!asset || size === undefined) return undefined
  const glyph = glyphs[asset.symbol.charAt(0)] ?? []
  return writePng(size, paletteOf(asset.color), (x, y) => {
    const inDisc = cover(x, y, size, (u, v) => (u - 0.5) ** 2 + (v - 0.5) ** 2 <= 0.25)
    const inGlyph = cover(x, y, size, (u, v) => isInk(glyph, u, v))
    return inGlyph > 0 ? steps + inGlyph : inDisc
  })
}

/** Colours from transparent to that of the disc, then from that of the disc to white. */
function paletteOf(color: string): Rgba[] {
  const disc = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const [red = 0, green = 0, blue = 0] = disc
  const mix = (channel: number, step: number) => Math.round(channel + ((255 - channel) * step) / steps)
  return [
    ...Array.from({ length: steps + 1 }, (_, step): Rgba => [red, green, blue, Math.round((255 * step) / steps)]),
    ...Array.from({ length: steps }, (_, at): Rgba => [mix(red, at + 1), mix(green, at + 1), mix(blue, at + 1), 255]),
  ]
}

/** How many samples of a pixel are inside a shape. The shape's coordinates go from 0 to 1. */
function cover(x: number, y: number, size: number, inside: (u: number, v: number) => boolean): number {
  let count = 0
  for (let at = 0; at < steps; at += 1) {
    const u = (x + ((at % samples) + 0.5) / samples) / size
    const v = (y + (Math.floor(at / samples) + 0.5) / samples) / size
    if (inside(u, v)) count += 1
  }
  return count
}

function isInk(glyph: readonly number[], u: number, v: number): boolean {
  const column = Math.floor((u - 0.3) * 12.5)
  const row = Math.floor((v - 0.22) * 12.5)
  return column >= 0 && column < 5 && (((glyph[row] ?? 0) >> (4 - column)) & 1) === 1
}
