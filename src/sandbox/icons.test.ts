import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { drawIcon, iconPath } from './icons.ts'

/** Reads a PNG with Node's checksums and inflate, which share no code with the writer. */
function readPng(file: Uint8Array) {
  const bytes = Buffer.from(file)
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.subarray(0, 4).toString(), body.subarray(4))
    at += 12 + length
  }
  const chunk = (name: string) => chunks.get(name) ?? Buffer.alloc(0)
  const width = chunk('IHDR').readUInt32BE(0)
  const rows = inflateSync(chunk('IDAT'))
  expect(rows.length).toBe(chunk('IHDR').readUInt32BE(4) * (width + 1))
  return {
    names: [...chunks.keys()],
    width,
    pixel: (x: number, y: number) => {
      const index = rows[y * (width + 1) + 1 + x] ?? -1
      return [...chunk('PLTE').subarray(index * 3, index * 3 + 3), chunk('tRNS')[index]]
    },
  }
}

describe('icons', () => {
  it.each([
    ['small', 20],
    ['medium', 35],
    ['large', 69],
  ] as const)('of the %s size are PNG images of %i pixels, round and in the colour of the asset', (name, size) => {
    const image = readPng(drawIcon(iconPath('BTC', name)) ?? new Uint8Array())
    expect(image.names).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
    expect(image.width).toBe(size)
    expect(image.pixel(0, 0)[3]).toBe(0)
    expect(image.pixel(Math.floor(size / 2), Math.floor(size * 0.1))).toEqual([0xf7, 0x93, 0x1a, 255])
  })

  it.each(['/icons/shib-small.png', '/icons/btc-huge.png', '/icons/../btc-small.png'])('has none at %s', (path) => {
    expect(drawIcon(path)).toBeUndefined()
  })
})
