/** Payments through real proxies, with the settings that merchants give them. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { en } from '../src/locales/en.ts'
import { findPrograms } from './proxies/programs.ts'
import { setups } from './proxies/setups.ts'
import { type StartedProxy, startProxy } from './proxies/start.ts'
import { test as base, expect, forget, nextPoll, openPage, pollAnswered, stopClock } from './test.ts'
import { widgetOn } from './widget.ts'

type Way = keyof typeof setups

const found = findPrograms()
const test = base.extend<{ way: Way; front: StartedProxy }>({
  way: ['nginx that keeps every answer', { option: true }],
  front: async ({ shop, way }, use) => {
    const setup = setups[way]
    const needs = [setup.program, ...(setup.protocol === 'https' ? ['openssl'] : [])]
    base.skip(!needs.every((program) => found.includes(program)), `needs ${needs.join(' and ')}`)
    const front = await startProxy(setup, Number(new URL(shop.url).port))
    await use(front)
    await front.stop()
  },
  baseURL: async ({ front }, use) => use(front.url),
  ignoreHTTPSErrors: true,
})

/** The output of `paywindow check`. */
function check({ url }: StartedProxy): Promise<string> {
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
  const parts = [cli, 'check', `${url}/paywindow`, '--reference', 'order-1042']
  // The certificate of a test is nobody's.
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  return new Promise((resolve) => {
    // Its exit code tells whether it found anything.
    execFile(process.execPath, parts, { env }, (_failure, said) => resolve(said))
  })
}

interface Passed {
  readonly way: Way
  /** A header that shows that an answer has been through what the way is named for. */
  readonly header: string
  readonly value: RegExp
  readonly checkSays: string
}

const stored = 'Something in front keeps answers'
const notStored = 'Answers are not stored'
const passed: readonly Passed[] = [
  {
    way: 'nginx that compresses, and names its port',
    header: 'content-encoding',
    value: /^gzip$/,
    checkSays: notStored,
  },
  { way: 'nginx that keeps every answer', header: 'x-cache-status', value: /^HIT$/, checkSays: stored },
  { way: 'nginx that ends TLS, with HTTP/2', header: 'server', value: /^nginx/, checkSays: notStored },
  // Browsers say themselves that a page is of the same site; older ones do not.
  {
    way: 'nginx that sends its own name of the server',
    header: 'server',
    value: /^nginx/,
    checkSays: 'set publicOrigin',
  },
  { way: 'Apache that compresses', header: 'content-encoding', value: /^gzip$/, checkSays: notStored },
  { way: 'HAProxy that sends requests again', header: 'x-front', value: /^haproxy$/, checkSays: notStored },
  // The second number is the request whose answer was kept.
  { way: 'Varnish that keeps every answer', header: 'x-varnish', value: /^\d+ \d+$/, checkSays: stored },
]

for (const { way, header, value, checkSays } of passed) {
  test.describe(`${way}:`, () => {
    test.use({ way })

    test('a payer pays, and each status comes in time', async ({ page, shop, front, simulate, poll }) => {
      const widget = widgetOn(page)
      await openPage(page, '/')
      await widget.choose('Bitcoin')
      // An answer without news has no body.
      await Promise.all([pollAnswered(page), poll()])
      await Promise.all([pollAnswered(page), poll()])
      await simulate('exact')
      await poll()
      await widget.shows(en.seenTitle)
      await simulate('confirm')
      await poll()
      await widget.shows(en.paidTitle)
      expect(await shop.orders()).toHaveLength(1)

      // Twice, so that the proxy could keep the answer.
      const offer = '/paywindow/offer?reference=order-1042'
      await page.request.get(offer)
      expect((await page.request.get(offer)).headers()[header]).toMatch(value)
      expect(await check(front)).toContain(checkSays)
    })
  })
}

test.describe('nginx that drops a header it does not know:', () => {
  test.use({ way: 'nginx that drops a header it does not know' })

  test('the address stays, and check names the header', async ({ page, shop, front, complaints }) => {
    const widget = widgetOn(page)
    await openPage(page, '/')
    await widget.choose('Bitcoin')
    const address = await widget.read(en.address)
    await stopClock(page)
    // Each waits longer than the one before: more than a minute in all.
    for (let polls = 0; polls < 5; polls += 1) await nextPoll(page, shop)
    expect(await widget.read(en.address)).toBe(address)
    await expect(widget.foot).toContainText(en.footFailing)
    expect(await check(front)).toContain('The header paywindow-key does not arrive')
    forget(complaints, '400')
  })
})
