/**
 * Codes with the coin at their heart: two readers, unrelated to each other, read each at half its
 * size.
 */
import { scanRGBABuffer } from '@undecaf/zbar-wasm'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { checkoutFixture } from '../src/checkout/fixture.ts'
import { seededRandom } from '../src/sandbox/index.ts'
import { builds, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Addresses as long as those of a network, of the characters that they have there. */
const kinds = [
  { asset: 'ETH', network: 'erc-20', start: '0x', characters: '0123456789abcdefABCDEF', length: 42 },
  { asset: 'TRX', network: 'trc-20', start: 'T', characters: base58, length: 34 },
  { asset: 'SOL', network: 'solana', start: '', characters: base58, length: 44 },
  { asset: 'XLM', network: 'stellar', start: 'G', characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length: 56 },
] as const
const ofEach = 10

/** For the coin, and for its network in the corner. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M0 0h36v36H0z" fill="#111"/><path d="M9 9h18v4H9zm7 4h4v15h-4z" fill="#fff"/></svg>'

for (const { build, path } of builds) {
  for (const { asset, network, start, characters, length } of kinds) {
    test(`${build}: ${ofEach} codes of ${asset}`, async ({ page, complaints }) => {
      const random = seededRandom(length)
      const draw = () => characters.charAt(Math.floor(random() * characters.length))
      let address = ''
      const answer = () => {
        const checkout = checkoutFixture({
          address,
          network,
          asset: { symbol: asset, name: asset, icon: 'icons/coin' },
          reference: 'order-1042',
        })
        const networkInfo = checkout.networkInfo && { ...checkout.networkInfo, icon: 'icons/network' }
        return { ...checkout, networkInfo, key: 'k'.repeat(43) }
      }
      await page.route('**/paywindow/**', (route) =>
        route.fulfill(
          route.request().url().includes('/icons/')
            ? { contentType: 'image/svg+xml', body: picture }
            : { json: answer() },
        ),
      )
      await page.setViewportSize({ width: 210, height: 900 })
      const read = { zbar: 0, jsQR: 0 }
      for (let each = 0; each < ofEach; each += 1) {
        address = start + Array.from({ length: length - start.length }, draw).join('')
        await openPage(page, path)
        await page.evaluate(() => {
          document.documentElement.style.zoom = '0.5'
        })
        const code = widgetOn(page).root.locator('.pw-code')
        await expect(code.locator('.pw-heart img')).toHaveCount(2)
        const { width, height, data } = PNG.sync.read(await code.screenshot())
        expect(width).toBeLessThanOrEqual(105)
        const [symbol] = await scanRGBABuffer(new Uint8Array(data).buffer, width, height)
        if (symbol?.decode() === address) read.zbar += 1
        if (jsQR(new Uint8ClampedArray(data), width, height)?.data === address) read.jsQR += 1
      }
      complaints.splice(0)
      expect(read).toEqual({ zbar: ofEach, jsQR: ofEach })
    })
  }
}
