import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { drawIcon, iconPath } from './icons.ts'

describe('icons', () => {
  it.each([
    ['small', 20],
    ['medium', 35],
    ['large', 69],
  ] as const)('of the %s size are PNG images of %i pixels', (name, size) => {
    const icon = drawIcon(iconPath('BTC', name))
    // The decoder checks both checksums.
    const image = PNG.sync.read(Buffer.from(icon ?? []), { checkCRC: true })
    expect([image.width, image.height]).toEqual([size, size])
    const pixel = (x: number, y: number) => [...image.data.subarray((y * size + x) * 4, (y * size + x) * 4 + 4)]
    expect(pixel(0, 0)[3]).toBe(0)
    expect(pixel(Math.floor(size / 2), Math.floor(size * 0.1))).toEqual([0xf7, 0x93, 0x1a, 255])
  })

  it.each(['/icons/doge-small.png', '/icons/btc-huge.png', '/icons/../btc-small.png'])('has none at %s', (path) => {
    expect(drawIcon(path)).toBeUndefined()
  })
})
