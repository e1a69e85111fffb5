/**
 * The modules of a code, the same as qrcode.react's. The library places the bits under the first mask; how the text is written
 * and which of the eight masks is best is decided here. Rules and numbers are those of ISO/IEC 18004, 7.3, 7.4 and 7.8.
 */
import { correction, generate, mode } from 'lean-qr'

/** The modules of one code without its border, row by row: 1 is dark. */
export interface QrModules {
  /** Modules in a row: 21 to 177. */
  readonly size: number
  readonly modules: Uint8Array
}

const maskCount = 8

/** Every mask repeats itself after so many columns and rows. */
const period = 12

/** Row and column of the timing patterns. */
const timing = 6

/** Level M, or better where it takes no more modules. @throws RangeError when the text is longer than a code can hold. */
export function qrModules(text: string): QrModules {
  const code = underFirstMask(text)
  const { size } = code
  const fixed = fixedModules(size)
  const flips = maskFlips()
  // One byte for each module; its bit m is the module under mask m.
  const all = new Uint8Array(size * size)
  for (let y = 0, i = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, i += 1) {
      const flip = fixed[i] ? 0 : (flips[(y % period) * period + (x % period)] ?? 0)
      all[i] = code.get(x, y) ? ~flip : flip
    }
  }
  flipFormat(all, size)
  const mask = bestMask(all, size)
  return { size, modules: all.map((module) => (module >> mask) & 1) }
}

function underFirstMask(text: string) {
  const { data, bits } = segment(text)
  try {
    return generate(data, { minCorrectionLevel: correction.M, minVersion: minVersion(bits), mask: 0 })
  } catch (cause) {
    throw new RangeError('Too long for a code', { cause })
  }
}

/** The whole text in the one way of writing that takes least, and the bits that it takes at least. */
function segment(text: string) {
  if (/^\d*$/.test(text)) return { data: mode.numeric(text), bits: (text.length * 10) / 3 }
  if (/^[\dA-Z $%*+./:-]*$/.test(text)) return { data: mode.alphaNumeric(text), bits: text.length * 5.5 }
  const bytes = new TextEncoder().encode(text)
  return { data: mode.bytes(bytes), bits: bytes.length * 8 }
}

/**
 * No code of a lower version holds so many bits at level M: of the modules that are no part of the three large patterns, less
 * than 0.62 are data. The library would try every version from the first, and prepares each that it tries.
 */
function minVersion(bits: number): number {
  return Math.max(1, Math.ceil((Math.sqrt(bits / 0.62 + 225) - 17) / 4))
}

/** 1 for each module that no mask turns over: what finds and aligns the code, and tells its version and format. */
function fixedModules(size: number): Uint8Array {
  const fixed = new Uint8Array(size * size)
  const fill = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y += 1) fixed.fill(1, y * size + left, y * size + left + width)
  }
  fill(0, 0, 9, 9)
  fill(size - 8, 0, 8, 9)
  fill(0, size - 8, 9, 8)
  fill(0, timing, size, 1)
  fill(timing, 0, 1, size)
  const version = (size - 17) / 4
  if (version >= 7) {
    fill(size - 11, 0, 3, 6)
    fill(0, size - 11, 6, 3)
  }
  // Centres of the alignment patterns, from the last: even steps, but for the one to the first. Version 1 has none.
  const last = size - 7
  const gaps = Math.floor(version / 7) + 1
  const step = 2 * Math.floor((last - timing) / gaps / 2 + 0.75)
  const centres = [timing]
  for (let gap = 0; gap < gaps && version > 1; gap += 1) centres.push(last - gap * step)
  for (const x of centres) {
    for (const y of centres) {
      // Three corners have patterns of their own.
      const isCorner = (x === timing || y === timing) && (x === y || x + y === last + timing)
      if (!isCorner) fill(x - 2, y - 2, 5, 5)
    }
  }
  return fixed
}

/** For each module of one period: the masks that differ there from the first, as bits. */
function maskFlips(): Uint8Array {
  const flips = new Uint8Array(period * period)
  for (let y = 0, i = 0; y < period; y += 1) {
    for (let x = 0; x < period; x += 1, i += 1) {
      const halves = (x * y) % 2
      const thirds = (x * y) % 3
      // Mask m turns a module over where its condition of the standard is 0; here bit m is set where it is not.
      const kept =
        ((x + y) % 2 ? 1 : 0) |
        (y % 2 ? 2 : 0) |
        (x % 3 ? 4 : 0) |
        ((x + y) % 3 ? 8 : 0) |
        ((Math.floor(x / 3) + Math.floor(y / 2)) % 2 ? 16 : 0) |
        (halves + thirds ? 32 : 0) |
        ((halves + thirds) % 2 ? 64 : 0) |
        ((x + y + thirds) % 2 ? 128 : 0)
      flips[i] = kept & 1 ? ~kept : kept
    }
  }
  return flips
}

/**
 * Both copies of the format tell the mask. Its code is linear, so that the bits of a mask are those of the first, turned over
 * where the code words of 1, 2 and 4 say so.
 */
function flipFormat(all: Uint8Array, size: number): void {
  for (let bit = 0; bit < 15; bit += 1) {
    const has = (codeWord: number, masksWithIt: number) => ((codeWord >> bit) & 1) * masksWithIt
    const flip = has(0x537, 0xaa) ^ has(0xa6e, 0xcc) ^ has(0x11eb, 0xf0)
    // Around the corner at the top left, leaving out the timing patterns; then along the other two corners.
    const row = bit < 6 ? bit : bit < 8 ? bit + 1 : 8
    const column = bit < 8 ? 8 : bit === 8 ? 7 : 14 - bit
    const other = bit < 8 ? 8 * size + size - 1 - bit : (size - 15 + bit) * size + 8
    for (const i of [row * size + column, other]) all[i] = (all[i] ?? 0) ^ flip
  }
}

/** The mask that makes the code easiest to read: the one of the fewest points, and of equals the first. */
function bestMask(all: Uint8Array, size: number): number {
  // How often each byte occurs, and how often each in which the masks agree that four modules are one box of one colour.
  const bytes = new Uint16Array(256)
  const boxes = new Uint16Array(256)
  for (let y = 0, i = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, i += 1) {
      const module = all[i] ?? 0
      count(bytes, module)
      if (x === 0 || y === 0) continue
      const differs =
        (module ^ (all[i - 1] ?? 0)) | (module ^ (all[i - size] ?? 0)) | (module ^ (all[i - size - 1] ?? 0))
      count(boxes, ~differs & 255)
    }
  }
  // One array for all lines, two longer than they are: nothing is made and thrown away in the time before a panel stands.
  const runs = new Uint16Array(size + 2)
  let best = 0
  let fewest = Number.POSITIVE_INFINITY
  for (let mask = 0; mask < maskCount; mask += 1) {
    const dark = countOf(bytes, mask)
    const fromHalf = Math.ceil(Math.abs(dark * 20 - all.length * 10) / all.length) - 1
    let points = 3 * countOf(boxes, mask) + 10 * fromHalf
    for (let line = 0; line < size && points < fewest; line += 1) {
      points += linePoints(runs, all, mask, line * size, 1) + linePoints(runs, all, mask, line, size)
    }
    if (points >= fewest) continue
    fewest = points
    best = mask
  }
  return best
}

function count(counts: Uint16Array, byte: number): void {
  counts[byte] = (counts[byte] ?? 0) + 1
}

/** How many of the bytes have the mask's bit. */
function countOf(counts: Uint16Array, mask: number): number {
  let sum = 0
  for (let byte = 0; byte < 256; byte += 1) if ((byte >> mask) & 1) sum += counts[byte] ?? 0
  return sum
}

/** Points for runs of five and more in a row or column, and for what looks like a corner of the code. */
function linePoints(runs: Uint16Array, all: Uint8Array, mask: number, start: number, step: number): number {
  const size = runs.length - 2
  const last = findRuns(runs, all, mask, start, step)
  let points = 0
  for (let i = 0; i <= last; i += 1) {
    const length = runs[i] ?? 0
    if (length >= 5) points += length - 2
  }
  // The border is light, and as long as it need be.
  runs[0] = (runs[0] ?? 0) + size
  runs[last] = (runs[last] ?? 0) + size
  for (let i = 6; i <= last; i += 2) {
    const unit = runs[i - 1] ?? 0
    const isCorner = runs[i - 2] === unit && runs[i - 3] === 3 * unit && runs[i - 4] === unit && runs[i - 5] === unit
    if (!isCorner) continue
    const before = runs[i - 6] ?? 0
    const after = runs[i] ?? 0
    if (after >= 4 * unit && before >= unit) points += 40
    if (before >= 4 * unit && after >= unit) points += 40
  }
  return points
}

/** Writes the lengths of a line's runs, light and dark in turn, light at both ends, if only of length 0. Says which is last. */
function findRuns(runs: Uint16Array, all: Uint8Array, mask: number, start: number, step: number): number {
  const end = start + (runs.length - 2) * step
  let last = 0
  let length = 0
  for (let i = start; i < end; i += step) {
    // Odd runs are dark.
    if ((((all[i] ?? 0) >> mask) & 1) !== (last & 1)) {
      runs[last] = length
      last += 1
      length = 0
    }
    length += 1
  }
  runs[last] = length
  // After a dark end.
  runs[last + 1] = 0
  return last + (last & 1)
}
