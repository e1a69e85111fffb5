/**
 * The whole server: each shop below its name, health for load balancers, and the files of the page.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { PaywindowError } from '../contract/errors.ts'
import { ParseError } from '../contract/parse.ts'
import { healthHandler } from '../server/health/health.ts'
import { fromHeader, ownAddress } from '../server/http/clients.ts'
import { type Answer, answerOf, type FetchServer, type Incoming, respondOf, toFetch } from '../server/http/exchange.ts'
import { publicFetch } from '../server/icons/public-fetch.ts'
import type { ErrorContext } from '../server/observing/occurrence.ts'
import type { Telemetry } from '../server/observing/reporting.ts'
import { askOffer, type OfferCallback, refuseFiat } from '../server/offers.ts'
import type { PaywindowOptions } from '../server/options.ts'
import { createPaywindow, type PaywindowServer } from '../server/paywindow.ts'
import type { Store } from '../server/store/store.ts'
import { storeInTime } from '../server/store/store-calls.ts'
import { systemClock } from '../service/clock.ts'
import { checkOptions, type ServiceOptions } from '../service/options.ts'
import { printable } from '../service/printable.ts'
import type { ServeConfig, ShopConfig } from './config.ts'
import { createDealt } from './dealt.ts'
import { createDesk } from './desk/desk.tsx'
import { checkReceiver, createTelling, toLapsedEvent, toShopEvent } from './events.ts'
import { createPayments, problem } from './payments.ts'
import { createTold } from './told.ts'

interface ShopParts {
  readonly store: Store
  readonly service: ServiceOptions
  readonly telemetry: Telemetry | undefined
  readonly readArrival?: PaywindowOptions['readArrival']
  /** Takes one line. */
  readonly log: (line: string) => void
}

/** A shop that is served. */
export interface OpenShop {
  readonly name: string
  readonly paywindow: PaywindowServer
  readonly webhook: (request: Incoming) => Promise<Answer>
  readonly payments: ((request: Incoming) => Promise<Answer>) | undefined
  readonly desk: ((request: Incoming, path: string) => Promise<Answer>) | undefined
}

/** What a payment link may do: pay its price. */
function offerOf({ methods, merchant }: Pick<ShopConfig, 'methods' | 'merchant'>): OfferCallback {
  return ({ link }) => {
    if (!link?.price) return null
    const { price, number, returnUrl } = link
    return {
      price,
      methods,
      merchant: { ...merchant, ...(returnUrl !== undefined && { returnUrl }) },
      ...(number !== undefined && { orderNumber: number, description: number }),
    }
  }
}

/**
 * Checks what the form of the file cannot say: coins, contracts, addresses and the service.
 *
 * @throws ParseError
 */
export async function checkShop(shop: ShopConfig): Promise<void> {
  const at = `shops.${shop.name}`
  const link = { id: 'check', expiresAtMs: 0, price: { asset: 'EUR', amount: '1' } }
  const offer: OfferCallback = (query) => offerOf(shop)({ ...query, link })
  try {
    const offered = await askOffer(offer, 'check', new Request('https://shop.example/'))
    if (offered !== 'paid') offered.methods.forEach(refuseFiat)
    if (shop.service !== 'sandbox') checkOptions(shop.service)
  } catch (error) {
    if (!(error instanceof PaywindowError)) throw error
    throw new ParseError(`${at}: ${error.message.replace(/^What offer returned cannot be used: /, '')}`)
  }
  if (shop.events) checkReceiver(shop.events, `${at}.events`)
}

/** Opens a shop. It does not follow its orders until `watch` is called. */
export function openShop(shop: ShopConfig, config: ServeConfig, parts: ShopParts): OpenShop {
  const { service, telemetry, log, readArrival } = parts
  const store = storeInTime(parts.store, systemClock)
  const { name, events, eventsSecrets, apiSecrets, linkSecrets, webhookSecret, page, test } = shop
  const { publicUrl, trustedProxies } = config
  const clientKey = trustedProxies > 0 ? fromHeader('x-forwarded-for', { trustedHops: trustedProxies }) : ownAddress
  const write = (line: string) => log(`${name}: ${line}`)
  const report = (what: string) => (error: unknown) => write(`${what}: ${printable(String(error))}`)
  const refusing = () => createRefusing(write, clientKey)
  const told = createTold(store, Date.now)
  const tell = events && told.keeping(createTelling(events, eventsSecrets), report('what was told is not kept'))
  const paywindow = createPaywindow({
    service,
    store: parts.store,
    test,
    offer: offerOf(shop),
    onStatusChange: tell ? (event) => tell(event.eventId, toShopEvent(event)) : null,
    ...(tell && {
      onLapsed: async ({ reference, checkoutId, at }) => {
        // A quote that was never made has no record: the event is about the one before.
        const before = () => paywindow.checkouts.list({ reference, before: checkoutId, limit: 1 })
        const last = (await paywindow.checkouts.get(checkoutId)) ?? (await before())[0]
        if (last) await tell(`${checkoutId}-lapsed`, toLapsedEvent(last, at))
      },
    }),
    onError: (error, context) => write(lineOf(error, context)),
    publicOrigin: publicUrl,
    clientKey,
    iconFetch: publicFetch,
    ...(telemetry && { telemetry }),
    ...(readArrival && { readArrival }),
    linkSecret: linkSecrets,
    ...(webhookSecret !== undefined && { webhookSecret }),
    page: { ...page, url: `${publicUrl}/${name}/pay`, script: '/paywindow.js' },
  })
  const payments =
    apiSecrets.length > 0
      ? createPayments({
          paywindow,
          store,
          secrets: apiSecrets,
          refused: refusing(),
          report: report('the API failed'),
        })
      : undefined
  const desk =
    shop.adminPasswordHash === undefined
      ? undefined
      : createDesk({
          name,
          shop: shop.merchant.name,
          url: new URL(`${publicUrl}/${name}/admin`),
          isTest: test,
          paywindow,
          store,
          told: told.read,
          dealt: createDealt(store, Date.now),
          hasEvents: events !== undefined,
          passwordHash: shop.adminPasswordHash,
          clientKey,
          refused: refusing(),
          report: report('the desk failed'),
        })
  const refused = refusing()
  const webhook = async (request: Incoming) => {
    const answer = await answerOf(await paywindow.webhook(request.web()))
    if (webhookSecret !== undefined && [401, 404].includes(answer.status))
      refused(request, 'a webhook had not the secret of the shop')
    return answer
  }
  return { name, paywindow, webhook, payments, desk }
}

/** With the words of its cause, which are the program's own, of the shop's answer, or of the database. */
function lineOf(error: PaywindowError, { checkoutId, incident }: ErrorContext): string {
  const { cause, code, message } = error
  const isTold = ['callback_failed', 'internal'].includes(code) && cause instanceof Error
  const why = isTold && !message.includes(cause.message) ? `: ${printable(cause.message)}` : ''
  const about = [checkoutId && `checkout ${checkoutId}`, incident && `incident ${incident}`].filter(Boolean)
  return `${code}: ${message}${why}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
}

/** Lines of one kind in a minute: strangers must not fill the log. */
const mostRefused = 10

/** Returns what writes that somebody was refused, and from where. */
function createRefusing(
  log: ShopParts['log'],
  clientKey: (request: Request) => string | undefined,
): (request: Incoming, what: string) => void {
  let minute = 0
  let count = 0
  return (request, what) => {
    const current = Math.floor(Date.now() / 60_000)
    count = current === minute ? count + 1 : 1
    minute = current
    if (count > mostRefused) return
    const more = count === mostRefused ? '; no more of them are written in this minute' : ''
    log(`refused: ${what}, from ${clientKey(request.web()) ?? 'an unknown address'}${more}`)
  }
}

/**
 * Answers all requests.
 *
 * @param folder - Where the build has put the files of browsers, as a URL that ends with a slash.
 */
export function createServer(shops: readonly OpenShop[], folder: string): FetchServer {
  const byName = new Map(shops.map((shop) => [shop.name, shop]))
  const files = createFiles(folder)
  const health = createHealth(shops)

  return {
    fetch: toFetch(async (request) => {
      const [, first = '', rest = ''] = /^\/([^/]*)(\/.*)?$/.exec(request.url.pathname) ?? []
      const shop = byName.get(first)
      if (shop) return answerShop(shop, rest, request)
      if (first === 'health') return health(request)
      return (await files(request)) ?? problem('not_found', 'The addresses of a shop begin with its name')
    }),
  }
}

async function answerShop(
  { paywindow, webhook, payments, desk }: OpenShop,
  path: string,
  request: Incoming,
): Promise<Answer> {
  if (/^\/v1(?:\/|$)/.test(path)) {
    if (payments && /^\/v1\/payments\/?$/.test(path)) return payments(request)
    return problem('not_found', payments ? 'There is /v1/payments' : 'This shop has no API: its secret is not set')
  }
  const [isDesk, deskPath = ''] = /^\/admin(\/.*)?$/.exec(path) ?? []
  if (isDesk) return desk?.(request, deskPath) ?? problem('not_found', 'This shop has no desk: its password is not set')
  if (/^\/webhook(?:\/|$)/.test(path)) return webhook(request)
  return respondOf(paywindow)(request)
}

/** Ready is whoever can serve all shops. */
function createHealth(shops: readonly OpenShop[]): (request: Incoming) => Promise<Answer> {
  const [one] = shops
  return async (request) => {
    const answers = await Promise.all(
      (/\/ready\/?$/.test(request.url.pathname) ? shops : one ? [one] : []).map(({ paywindow }) =>
        healthHandler(paywindow)(request.web()),
      ),
    )
    const worst = answers.find(({ ok }) => !ok) ?? answers[0]
    return worst ? answerOf(worst) : problem('not_found', 'There is no shop')
  }
}

/** Files that pages load. */
const fileName = /^\/(?:paywindow(?:-later|-wallet|-developer)?\.js|locales\/[A-Za-z-]{2,10}\.json|openapi\.json)$/

/** Each is read once. Null for any other path. */
function createFiles(folder: string): (request: Incoming) => Promise<Answer | null> {
  const read = new Map<string, File>()
  return async ({ method, url: { pathname }, header }) => {
    if (!fileName.test(pathname)) return null
    if (method !== 'GET' && method !== 'HEAD') return problem('method_not_allowed', 'Use GET', { allow: 'GET, HEAD' })
    const file = read.get(pathname) ?? (await readFileAt(new URL(`.${pathname}`, folder)))
    if (!file) return null
    read.set(pathname, file)
    const headers = {
      'content-type': pathname.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/json',
      // The script and what it loads must be of one version.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      etag: file.etag,
    }
    if (header('if-none-match') === file.etag) return { status: 304, headers, body: null }
    const isZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(header('accept-encoding') ?? '')
    return isZipped
      ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: file.zipped }
      : { status: 200, headers, body: file.whole }
  }
}

interface File {
  readonly whole: Uint8Array<ArrayBuffer>
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly etag: string
}

async function readFileAt(url: URL): Promise<File | null> {
  try {
    const whole = await readFile(url)
    return { whole, zipped: gzipSync(whole), etag: `"${createHash('sha256').update(whole).digest('base64url')}"` }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
