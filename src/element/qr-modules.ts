/**
 * The modules of a code. The library places the bits and chooses the mask; how the text is written is decided here. Rules and numbers are
 * those of ISO/IEC 18004, 7.3 and 7.4.
 */
import { correction, generate, mode } from 'lean-qr'

/** The modules of one code without its border: `get` is true for a dark one, by column and row. */
export interface QrModules {
  /** Modules in a row: 21 to 177. */
  readonly size: number
  get(x: number, y: number): boolean
}

/** Level M, or better where it takes no more modules. @throws RangeError when the text is longer than a code can hold. */
export function qrModules(text: string): QrModules {
  const { data, bits } = segment(text)
  try {
    return generate(data, { minCorrectionLevel: correction.M, minVersion: minVersion(bits) })
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
