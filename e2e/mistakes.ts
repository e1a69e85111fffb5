/** Mistakes that a page can have, and the words that its developer reads then. */
import type { Page } from '@playwright/test'
import { createSandbox, type SandboxAccess } from '../src/sandbox/index.ts'
import type { MerchantOffer } from '../src/server/offers.ts'
import type { PaywindowOptions } from '../src/server/options.ts'
import { createPaywindow } from '../src/server/paywindow.ts'
import { createMemoryStore } from '../src/server/store/memory.ts'
import { payElement } from './merchant-page.ts'

/** One mistake. */
export interface Mistake {
  readonly name: string
  /** What the page answers, in place of the shop. */
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly head?: string
  readonly body?: string
  readonly policy?: Readonly<Record<string, string>>
  /**
   * In the console, without the browser's own words. `{page}` is the page's origin, `{other}`
   * another origin of the shop.
   */
  readonly console: string
  /** In the console of `localhost` alone: what the browser has no error of. */
  readonly onLocalhost?: string
  readonly fix: string
}

/** The tag of the script. */
export const script = '<script src="/paywindow.js" defer></script>'
/** In place of the server. */
export const answering =
  (answer: { status?: number; body: string; headers?: Record<string, string> }) => (page: Page) =>
    page.route('**/paywindow/checkouts', (route) => route.fulfill(answer))
/** As the server says no. */
export const refusal = (code: string, message: string) =>
  JSON.stringify({ v: 1, error: { code, message, incident: 'A1B2C3' } })

/** An offer of the servers below. */
const offer: MerchantOffer = {
  price: { asset: 'USD', amount: '49.90' },
  methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
  merchant: { name: 'Lantern Books' },
}

/** Answers in place of the shop, as a server of Paywindow with these options does. */
const answeredBy = (options: (access: SandboxAccess) => Partial<PaywindowOptions>) => (page: Page) => {
  const { access } = createSandbox()
  const server = createPaywindow({
    service: access,
    store: createMemoryStore(),
    offer: () => offer,
    clientKey: () => 'the only visitor',
    test: true,
    onError: () => {},
    ...options(access),
  })
  return page.route('**/paywindow/checkouts', async (route) => {
    const asked = route.request()
    const [method, headers, body] = [asked.method(), await asked.allHeaders(), asked.postData()]
    const answer = await server.fetch(new Request(asked.url(), { method, headers, body }))
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    })
  })
}

/** All that a developer is told of. */
export const mistakes: readonly Mistake[] = [
  {
    name: 'no reference',
    body: '<pay-window endpoint="/paywindow"></pay-window>',
    console:
      'Paywindow invalid_options PaywindowError: endpoint and reference are needed, asset and network go together: ["/paywindow","null","null","null"]',
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
    name: 'a script whose attribute lacks its data-',
    head: '<script src="/paywindow.js" endpoint="/paywindow" defer></script>',
    console: '',
    onLocalhost: 'Paywindow The attribute endpoint is unknown. Is data-endpoint meant?',
    fix: 'Is data-endpoint meant?',
  },
  {
    name: 'a script whose attributes are all misspelt',
    head: '<script src="/paywindow.js" data-end-piont="/paywindow" defer></script>',
    console: '',
    onLocalhost: 'Paywindow The attribute data-end-piont is unknown. Is data-endpoint meant?',
    fix: 'Is data-endpoint meant?',
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
    body: payElement.replace('"/paywindow"', '"{other}/paywindow"'),
    policy: { 'connect-src': '*' },
    console: 'Paywindow unreachable PaywindowError: {other}/paywindow/checkouts did not answer {page}',
    fix: 'add this page’s origin to `allowedOrigins`',
  },
  {
    name: 'an endpoint that the policy of the page forbids',
    body: payElement.replace('"/paywindow"', '"{other}/paywindow"'),
    console: 'Paywindow unreachable PaywindowError: {other}/paywindow/checkouts did not answer {page}',
    fix: 'the endpoint to `connect-src`',
  },
  {
    name: 'a page whose origin the server does not take',
    prepare: answeredBy(() => ({ publicOrigin: 'https://shop.example' })),
    console: 'Paywindow forbidden_origin PaywindowError: {page}/paywindow/checkouts: ',
    fix: "add the page's origin to `allowedOrigins`",
  },
  {
    name: 'an offer that cannot be charged, in the words of a server in test mode',
    prepare: answeredBy(() => ({ offer: () => ({ ...offer, merchant: undefined }) as never })),
    console: "Paywindow offer_invalid PaywindowError: {page}/paywindow/checkouts: The server's onError was told",
    fix: 'cannot be used: merchant is not an object',
  },
  {
    name: 'a service that gives test addresses, and no test: true',
    prepare: answeredBy(() => ({ test: false })),
    console: 'Paywindow service_invalid PaywindowError: {page}/paywindow/checkouts: ',
    fix: 'is `test: true` set?',
  },
  {
    name: 'a token that the service refuses',
    prepare: answeredBy((access) => ({ service: { ...access, accessToken: 'of-yesterday' } })),
    console: 'Paywindow service_refused PaywindowError: {page}/paywindow/checkouts: The exchange service refused',
    fix: 'With 401 check the token',
  },
  ...[
    ["clock_differs: This server's clock is 90 s behind the service's", 'timedatectl'],
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
