/**
 * Asset icons as the service has them: PNG images of 20, 35 and 69 pixels, drawn here so that a
 * test needs no network. The pixels are stored, not compressed: a few kilobytes need no deflate,
 * which only Node has.
 *
 * @see https://www.w3.org/TR/png-3/
 */
import { sandboxAssets } from './assets.ts'

/** Red, green, blue, alpha; each 0 to 255. */
type Rgba = readonly [number, number, number, number]

const sizes: Readonly<Record<string, number>> = { small: 20, medium: 35, large: 69 }

/** Initials on a grid of 5 by 7: one number of five bits for each row. */
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

/** Samples of a pixel in each direction. */
const samples = 4
/** Samples of a whole pixel, which is also the number of steps in which an edge fades. */
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

/** Colours from transparent to the disc's colour, then from the disc's colour to white. */
function paletteOf(color: string): Rgba[] {
  const disc = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const [red = 0, green = 0, blue = 0] = disc
  const mix = (channel: number, step: number) => Math.round(channel + ((255 - channel) * step) / steps)
  return [
    ...Array.from({ length: steps + 1 }, (_, step): Rgba => [red, green, blue, Math.round((255 * step) / steps)]),
    ...Array.from({ length: steps }, (_, at): Rgba => [mix(red, at + 1), mix(green, at + 1), mix(blue, at + 1), 255]),
  ]
}

/** Number of a pixel's samples that are inside a shape. The shape's coordinates go from 0 to 1. */
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

/**
 * @param size - Width and height in pixels, 1 to 200: a stored block holds up to 65,535 bytes.
 * @param palette - Up to 256 colours.
 * @param indexAt - The index of a pixel's colour in the palette.
 */
function writePng(size: number, palette: readonly Rgba[], indexAt: (x: number, y: number) => number) {
  const rows = new Uint8Array(size * (size + 1))
  for (let y = 0; y < size; y += 1) {
    // The first byte of a row names its filter; 0 is none.
    for (let x = 0; x < size; x += 1) rows[y * (size + 1) + 1 + x] = indexAt(x, y)
  }
  const eightBitPalette = [8, 3, 0, 0, 0]
  return Uint8Array.of(
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...bytesOf(size), ...bytesOf(size), ...eightBitPalette]),
    ...chunk(
      'PLTE',
      palette.flatMap((color) => color.slice(0, 3)),
    ),
    ...chunk(
      'tRNS',
      palette.map(([, , , alpha]) => alpha),
    ),
    ...chunk('IDAT', stored(rows)),
    ...chunk('IEND', []),
  )
}

/** A zlib stream of one stored block. @see RFC 1950, RFC 1951 section 3.2.4 */
function stored(data: Uint8Array): number[] {
  const low = data.length & 0xff
  const high = data.length >> 8
  const header = [0x78, 0x01, 0x01, low, high, low ^ 0xff, high ^ 0xff]
  return [...header, ...data, ...bytesOf(adler32(data))]
}

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...new TextEncoder().encode(type), ...data]
  return [...bytesOf(data.length), ...body, ...bytesOf(crc32(body))]
}

function bytesOf(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)
}

function adler32(data: Uint8Array): number {
  let sum = 1
  let sumOfSums = 0
  for (const byte of data) {
    sum = (sum + byte) % 65_521
    sumOfSums = (sumOfSums + sum) % 65_521
  }
  return ((sumOfSums << 16) | sum) >>> 0
}

function crc32(data: readonly number[]): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
