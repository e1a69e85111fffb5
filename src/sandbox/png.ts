/**
 * Writes a small PNG with a palette. The pixels are stored, not compressed: icons of a few kilobytes need no deflate, and so the
 * sandbox needs nothing that only Node has.
 *
 * @see https://www.w3.org/TR/png-3/
 */

/** Red, green, blue, alpha; each 0 to 255. */
export type Rgba = readonly [number, number, number, number]

/**
 * @param size - Width and height in pixels, 1 to 200: one stored block holds no more than 65,535 bytes.
 * @param palette - Up to 256 colours.
 * @param indexAt - Which colour of the palette a pixel has.
 */
export function writePng(size: number, palette: readonly Rgba[], indexAt: (x: number, y: number) => number) {
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
