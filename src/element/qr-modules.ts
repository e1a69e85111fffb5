/**
 * The modules of a code. The library places the bits and chooses the mask; how the text is encoded
 * is decided here. The rules and numbers are those of ISO/IEC 18004, 7.3 and 7.4.
 */
import { correction, generate, mode } from 'lean-qr'

/** The modules of one code without its border: `get` is true for a dark one, by column and row. */
export interface QrModules {
  /** Modules in a row: 21 to 177. */
  readonly size: number
  get(x: number, y: number): boolean
}

/**
 * Error correction level M, or H where `isStrong`, or better if it takes no more modules. @throws
 * Error when the text is too long for a code.
 */
export function qrModules(text: string, isStrong = false): QrModules {
  const { data, bits } = segment(text)
  const minCorrectionLevel = isStrong ? correction.H : correction.M
  return first(generate(data, { minCorrectionLevel, minVersion: minVersion(bits) }))
}

/**
 * The library picks one of eight masks by `reduce`. Where Prototype 1.6 has replaced that, all
 * eight come, and each can be read.
 */
function first(made: QrModules | { readonly 0: QrModules }): QrModules {
  return 0 in made ? made[0] : made
}

/**
 * The whole text in the one encoding mode that takes the fewest bits, and the least number of bits
 * that it takes.
 */
function segment(text: string) {
  if (/^\d*$/.test(text)) return { data: mode.numeric(text), bits: (text.length * 10) / 3 }
  if (/^[\dA-Z $%*+./:-]*$/.test(text)) return { data: mode.alphaNumeric(text), bits: text.length * 5.5 }
  const bytes = new TextEncoder().encode(text)
  return { data: mode.bytes(bytes), bits: bytes.length * 8 }
}

/**
 * No code of a lower version than this holds that many bits at level M: less than 0.62 of the
 * modules outside the three large patterns are data. Without it, the library would try every
 * version from the first one, and it prepares each that it tries.
 */
function minVersion(bits: number): number {
  return Math.max(1, Math.ceil((Math.sqrt(bits / 0.62 + 225) - 17) / 4))
}
