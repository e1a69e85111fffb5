/** Reads a payment code as a wallet would: from the pixels on the screen, with a decoder that drew none of them. */
import type { Locator } from '@playwright/test'
import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'

export async function readCode(code: Locator): Promise<string> {
  const { width, height, data } = PNG.sync.read(await code.screenshot())
  return decodeQR({ width, height, data })
}
