/** What a developer reads in the console, and on `localhost` on the page, for each mistake in setting up. */
import type { Locator, Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

interface Mistake {
  readonly name: string
  /** What the page answers, in place of the shop. */
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly head?: string
  readonly body?: string
  readonly policy?: Readonly<Record<string, string>>
  /** In the console; the browser's own words are left out. `{page}` is the origin. */
  readonly console: string
  /** In the console of `localhost` alone: what the browser has no error of. */
  readonly onLocalhost?: string
  readonly fix: string
}

const script = '<script src="/paywindow.js" defer></script>'
const answering = (answer: { status?: number; body: string; headers?: Record<string, string> }) => (page: Page) =>
  page.route('**/paywindow/checkouts', (route) => route.fulfill(answer))
const refusal = (code: string, message: string) =>
  JSON.stringify({ v: 1, error: { code, message, incident: 'A1B2C3' } })

const mistakes: readonly Mistake[] = [
  {
    name: 'no reference',
    body: '<pay-window endpoint="/paywindow"></pay-window>',
    console:
      'Paywindow invalid_options PaywindowError: endpoint and reference are needed, asset and network go together',
    fix: 'set `endpoint` and `reference`',
  },
  {
    name: 'an attribute that is misspelt',
    body: payElement.replace('<pay-window', '<pay-window tehme="dark"'),
    console: '',
    onLocalhost: 'Paywindow The attribute tehme is unknown. Is theme meant?',
    fix: 'The attribute tehme is unknown. Is theme meant?',
  },
  {
    name: 'a theme that nobody knows',
    body: payElement.replace('<pay-window', '<pay-window theme="drak"'),
    console: '',
    onLocalhost: 'Paywindow The theme drak is unknown.',
    fix: 'There are light, dark and auto.',
  },
  {
    name: 'an endpoint that answers a page',
    prepare: answering({ body: '<!doctype html><title>Shop</title>' }),
    console: 'Paywindow invalid_answer PaywindowError: {page}/paywindow/checkouts: Unexpected token',
    fix: 'mount its server so that it gets all paths below `endpoint`',
  },
  {
    name: 'an endpoint that is nowhere',
    prepare: answering({ status: 404, body: 'Not found' }),
    console: 'Paywindow invalid_answer PaywindowError: {page}/paywindow/checkouts: status 404',
    fix: 'is `endpoint` the path of your server’s handler?',
  },
  {
    name: 'an endpoint on another origin that does not allow this one',
    body: payElement.replace('"/paywindow"', '"http://127.0.0.1:9/paywindow"'),
    policy: { 'connect-src': '*' },
    console: 'Paywindow unreachable PaywindowError: http://127.0.0.1:9/paywindow/checkouts did not answer {page}',
    fix: 'add this page’s origin to `allowedOrigins`',
  },
  {
    name: 'an endpoint that the policy of the page forbids',
    body: payElement.replace('"/paywindow"', '"http://127.0.0.1:9/paywindow"'),
    console: 'Paywindow unreachable PaywindowError: http://127.0.0.1:9/paywindow/checkouts did not answer {page}',
    fix: 'the endpoint to `connect-src`',
  },
  {
    name: 'a page whose origin the server does not take',
    prepare: answering({ status: 403, body: refusal('forbidden_origin', 'add it to allowedOrigins if it should') }),
    console: 'Paywindow forbidden_origin PaywindowError: {page}/paywindow/checkouts: add it to allowedOrigins',
    fix: "add the page's origin to `allowedOrigins`",
  },
  {
    name: 'an offer that cannot be charged, in the words of a server in test mode',
    prepare: answering({
      status: 500,
      body: refusal('offer_invalid', "The server's onError was told what is wrong"),
      headers: {
        'paywindow-notes': JSON.stringify([
          'offer_invalid: What offer returned for "a" cannot be used: merchant is not an object',
        ]),
      },
    }),
    console: "Paywindow offer_invalid PaywindowError: {page}/paywindow/checkouts: The server's onError was told",
    fix: 'cannot be used: merchant is not an object',
  },
  {
    name: 'a service that gives test addresses, and no test: true',
    prepare: answering({ status: 502, body: refusal('service_invalid', 'none are shown') }),
    console: 'Paywindow service_invalid PaywindowError: {page}/paywindow/checkouts: none are shown',
    fix: 'is `test: true` set?',
  },
  {
    name: 'a token that the service refuses',
    prepare: answering({ status: 502, body: refusal('service_refused', 'the token, the sub-account or the request') }),
    console: 'Paywindow service_refused PaywindowError: {page}/paywindow/checkouts: the token',
    fix: 'With 401 check the token',
  },
  ...[
    ["clock_differs: This server's clock is 90 s behind the service's", 'keep it in step with NTP'],
    ['nobody_watches: Checkouts have waited', 'call `paywindow.watch()` in one process'],
    ['events_waiting: watch() runs in a process without onStatusChange', 'or set `onStatusChange: null`'],
  ].map(([said = '', fix = '']) => ({
    name: `what a server in test mode says, ${said}`,
    prepare: (page: Page) =>
      page.route('**/paywindow/checkouts', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'paywindow-notes': JSON.stringify([said]) } })
      }),
    console: '',
    onLocalhost: `Paywindow ${said}`,
    fix,
  })),
  {
    name: 'icons that the policy of the page forbids',
    policy: { 'img-src': 'data:' },
    console: '',
    fix: 'needs it in `img-src`',
  },
  {
    name: 'languages that are not served beside the script',
    prepare: (page) => page.route('**/locales/*.json', (route) => route.fulfill({ status: 404, body: 'no' })),
    body: payElement.replace('<pay-window', '<pay-window lang="de"'),
    console: 'Paywindow stays English: Error: {page}/locales/de.json has no language, but status 404',
    fix: 'Serve the folder `locales`',
  },
  {
    name: 'a script of type module that has no endpoint',
    head: '<script type="module" src="/paywindow.js" data-reference="cart-42"></script>',
    body: '',
    console: 'Paywindow invalid_options PaywindowError: endpoint and reference are needed',
    fix: 'set `endpoint` and `reference`',
  },
  {
    name: 'two versions',
    head: `<script>customElements.define('pay-window', class extends HTMLElement { static version = '0.0.9' })</script>`,
    policy: { 'script-src': `'self' 'unsafe-inline'` },
    console: 'Paywindow 0.0.9 is on this page already, so',
    fix: 'Load one',
  },
]

const hosts = { localhost: 'localhost', 'any other host': '127.0.0.1' } as const

for (const { name, prepare, head = '', body = payElement, policy = {}, console, onLocalhost, fix } of mistakes)
  for (const [where, host] of Object.entries(hosts))
    test(`${name}: in the console once, and on the page with its fix or not, on ${where}`, async ({
      page,
      shop,
      complaints,
    }) => {
      await prepare?.(page)
      const { origin } = new URL(shop.url.replace('127.0.0.1', host))
      const parts: string[] = []
      const fixes: string[] = []
      page.on('console', (message) => message.type() === 'info' && fixes.push(message.text()))
      page.on('request', (request) => parts.push(request.url()))
      await servePage(page, `${origin}/pay`, { head: `${head}${script}`, body, policy })
      await page.goto(`${origin}/pay`)
      const said = () => complaints.filter((line) => line.startsWith('Paywindow'))
      if (console !== '')
        await expect
          .poll(said, { timeout: 15_000 })
          .toEqual([expect.stringContaining(console.replaceAll('{page}', origin))])
      const notes = page.getByRole('region', { name: 'Notes for the developer' })
      if (host === 'localhost') {
        await expect(notes).toBeVisible()
        expect(await withBackticks(notes)).toContain(fix)
        if (onLocalhost) expect(said()).toEqual([expect.stringContaining(onLocalhost)])
        else if (!said().some((line) => line.includes(fix)))
          expect(fixes).toContainEqual(expect.stringMatching(/^Paywindow Fix: .*troubleshooting\.md$/s))
      } else {
        expect(said()).toHaveLength(console === '' ? 0 : 1)
        expect(fixes).toEqual([])
        if (console === '') await widgetOn(page).asksForMoney()
        expect(parts.filter((url) => url.endsWith('/paywindow-developer.js'))).toEqual([])
        await expect(notes).toHaveCount(0)
      }
      complaints.splice(0)
    })

function withBackticks(notes: Locator): Promise<string | null> {
  return notes.evaluate((section) => {
    for (const code of section.querySelectorAll('code')) code.textContent = `\`${code.textContent}\``
    return section.textContent
  })
}

test('a page without a mistake shows its developer nothing', async ({ page, shop }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await servePage(page, `${origin}/pay`, { head: script, body: payElement })
  const loaded = page.waitForResponse((response) => response.url().endsWith('/paywindow-developer.js'))
  await page.goto(`${origin}/pay`)
  expect((await loaded).status()).toBe(200)
  await widgetOn(page).asksForMoney()
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toHaveCount(0)
})

test('a component on a page of another language says that it has no texts', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await page.route('**/react', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('lang="en"', 'lang="de"') })
  })
  await page.goto(`${origin}/react`)
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await expect(notes).toContainText('stays English: texts for de are not set')
  expect(complaints.splice(0)).toEqual(['Paywindow stays English: texts for de are not set'])
})

test('an option of the component that is misspelt', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await page.route('**/storefront.js', async (route) => {
    const response = await route.fetch()
    const code = await response.text()
    await route.fulfill({ response, body: code.replace(/handoverUrl(?=:["'`]\/pay)/, 'handoverUri') })
  })
  await page.goto(`${origin}/react`)
  const words = 'The option handoverUri is unknown. Is handoverUrl meant?'
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toContainText(words)
  expect(complaints.splice(0)).toEqual([`Paywindow ${words}`])
})

test('an option of the modal that is misspelt', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await servePage(page, `${origin}/pay`, { head: script, body: '' })
  await page.goto(`${origin}/pay`)
  await page.evaluate(() => {
    const options = { endpoint: '/paywindow', reference: 'order-1042', tehme: 'dark' }
    window.Paywindow?.open(options)
  })
  const words = 'The option tehme is unknown. Is theme meant?'
  await expect(page.getByRole('region', { name: 'Notes for the developer' })).toContainText(words)
  expect(complaints.splice(0)).toEqual([`Paywindow ${words}`])
})

test('notes can be closed, stay closed, and lie over a modal', async ({ page, shop, complaints }) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  await answering({ status: 404, body: 'Not found' })(page)
  await servePage(page, `${origin}/pay`, { head: script, body: '' })
  await page.goto(`${origin}/pay`)
  await page.evaluate(() => window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042' }))
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await notes.getByRole('button', { name: 'Close' }).click()
  await expect(notes).toHaveCount(0)
  await page.getByRole('button', { name: en.retry }).click()
  await expect(page.getByRole('button', { name: en.retry })).toBeVisible()
  await expect(notes).toHaveCount(0)
  complaints.splice(0)
})

test('what the server has said and was closed does not come back in the fewer words of the browser', async ({
  page,
  shop,
  complaints,
}) => {
  const { origin } = new URL(shop.url.replace('127.0.0.1', 'localhost'))
  const headers = { 'paywindow-notes': JSON.stringify(['offer_invalid: merchant is not an object']) }
  await answering({ status: 500, body: refusal('offer_invalid', 'said'), headers })(page)
  await servePage(page, `${origin}/pay`, { head: script, body: payElement })
  await page.goto(`${origin}/pay`)
  const notes = page.getByRole('region', { name: 'Notes for the developer' })
  await notes.getByRole('button', { name: 'Close' }).click()
  const again = page.waitForResponse('**/paywindow/checkouts')
  await page.getByRole('button', { name: en.retry }).click()
  await again
  await expect(page.getByRole('button', { name: en.retry })).toBeVisible()
  await expect(notes).toHaveCount(0)
  complaints.splice(0)
})
