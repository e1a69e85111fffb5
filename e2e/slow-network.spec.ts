import { builds, expect, test } from './test.ts'

const tripMs = 2000
const bytesPerMs = 50

for (const { build, path } of builds) {
  test(`${build}: choosing stands after three round trips, for page, code and answer`, async ({ page }) => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const slow = { offline: false, latency: tripMs, downloadThroughput: bytesPerMs * 1000, uploadThroughput: -1 }
    await devtools.send('Network.emulateNetworkConditions', slow)
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(path, { waitUntil: 'commit' })
    const standing = await page.waitForFunction(
      () => {
        const root = document.querySelector('pay-window')?.shadowRoot ?? document
        return root.querySelector('.pw-method') ? performance.now() : null
      },
      undefined,
      { polling: 'raf', timeout: 25_000 },
    )
    const ms = (await standing.jsonValue()) ?? 0
    const trips = Math.floor((ms - bytes / bytesPerMs) / tripMs)
    console.log(`${build}: ${(ms / 1000).toFixed(1)} s at 2 s a trip and 50 kB/s, ${Math.round(bytes / 1000)} kB`)
    expect(trips).toBe(3)
  })
}
