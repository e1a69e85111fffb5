/** Puts the parts of the merchant server together. */
import type { Initial, Price } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import { checkNames } from '../contract/option-names.ts'
import { endsWithin } from '../service/within.ts'
import { createCheckouts } from './checkout/checkouts.ts'
import { createAllowance } from './checkout/whole-carts.ts'
import { type Context, createContext } from './context.ts'
import { policy } from './core/policy.ts'
import { createCreation } from './creation/creation.ts'
import { createBinder } from './following/binder.ts'
import { createHints } from './following/hints.ts'
import { createRecordPage } from './following/recording.ts'
import { createAskingTurns, createReadingTurn } from './following/server-turns.ts'
import { createStrayCheck } from './following/strays.ts'
import { createTracker } from './following/tracker.ts'
import { createUnwatchedCheck, createWatching, type Watching } from './following/watching.ts'
import { createHealth, type Health } from './health/health.ts'
import type { AskedAmount } from './http/asked-amount.ts'
import { createClients } from './http/clients.ts'
import { readReference, toFetch } from './http/exchange.ts'
import { createHandler, createIncidents } from './http/handler.ts'
import { createReadInitial, type PageTarget } from './http/initial.ts'
import { createLinks, type Links } from './http/links.ts'
import { createPayPage } from './http/pay-page.ts'
import { createWebhook } from './http/webhook.ts'
import { createIconNames, createIconResponder } from './icons/icons.ts'
import { createDelivery, createRetell, createUndeliveredCheck } from './notifying/delivery.ts'
import { inOneLine } from './observing/occurrence.ts'
import { checkOptions, invalid, offerInTime, type PaywindowOptions } from './options.ts'
import { createDetailsReader } from './orders/order-details.ts'
import { createOrderList, listPagesPerSecond } from './orders/order-list.ts'
import { createReadSituation } from './orders/read-situation.ts'
import { atMostEvery, createBackground } from './time/work.ts'
import { createClockCheck, unencrypted } from './upstream/service-gate.ts'
import {
  createMerchantCheckouts,
  type MerchantCheckout,
  type MerchantCheckouts,
  toMerchantCheckout,
} from './views/merchant-view.ts'

/**
 * The attributes of `<pay-window>` that `html` draws.
 *
 * @example
 * ```ts
 * const options: HtmlOptions = { endpoint: '/paywindow', reference: 'cart-42', theme: 'dark' }
 * ```
 */
export interface HtmlOptions extends PageTarget {
  /** Where `fetch` is mounted, as the browser sees it. */
  readonly endpoint: string
  /** BCP 47, such as `pt-BR`. Default: the first of the visitor's languages that there is. */
  readonly locale?: string
  /** Default `auto`. */
  readonly theme?: 'light' | 'dark' | 'auto'
  /** See `<Paywindow>`. Default: none. */
  readonly handoverUrl?: string
  /** See `<Paywindow>`. Default: none. */
  readonly supportUrl?: string
  /** See `<Paywindow>`. Default false. */
  readonly notify?: boolean
  /** See `<Paywindow>`. Default false. */
  readonly keepTitle?: boolean
  /** The nonce of your content security policy, for the styles in the HTML. Default: none. */
  readonly nonce?: string
  /**
   * Your HTML in the element: an `<img slot="logo">`, or words for browsers without the script.
   * Default: none.
   */
  readonly content?: string
}

/**
 * The cart of a payment link, and how long the link is valid.
 *
 * @example
 * ```ts
 * const week: LinkOptions = { reference: 'invoice-7', validForMs: 7 * 86_400_000 }
 * ```
 */
export interface LinkOptions {
  /** As `offer` gets it. Whoever has the link sees it. */
  readonly reference: string
  /** In milliseconds, from a minute to 366 days. */
  readonly validForMs: number
  /** `offer` gets it in `link`, and need not look it up. Default: none. */
  readonly price?: Price
  /**
   * Your number of the order, for people, which `offer` gets in `link`: at most 64 characters.
   * Default: none.
   */
  readonly number?: string
  /** Where your shop is, a whole web address, which `offer` gets in `link`. Default: none. */
  readonly returnUrl?: string
  /**
   * Makes it a link for a donation or a till: whoever opens it types an amount, which becomes a new
   * cart. Default: none.
   */
  readonly asks?: AskedAmount
}

/**
 * A payment link.
 *
 * @example
 * ```ts
 * const mail = ({ url }: MadeLink) => `Pay your invoice: ${url}`
 * ```
 */
export interface MadeLink {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
  /** A QR code of the link, as SVG, for print. */
  readonly code: string
}

/** All options, so that a misspelt one is refused. */
// biome-ignore format: names need no line each
const linkOptions = {
  reference: 0, validForMs: 0, price: 0, number: 0, returnUrl: 0, asks: 0,
} satisfies Record<keyof LinkOptions, 0>
// biome-ignore format: names need no line each
const htmlOptions = {
  endpoint: 0, reference: 0, asset: 0, network: 0, locale: 0, theme: 0, handoverUrl: 0, supportUrl: 0,
  notify: 0, keepTitle: 0, nonce: 0, content: 0,
} satisfies Record<keyof HtmlOptions, 0>

/**
 * The merchant server's half of Paywindow.
 *
 * @example
 * ```ts
 * async function end(paywindow: PaywindowServer, watching: ReturnType<PaywindowServer['watch']>) {
 *   await watching.stop()
 *   return paywindow.close()
 * }
 * ```
 */
export interface PaywindowServer {
  /** Answers the widget's requests, mounted at any path. Never rejects. */
  fetch(request: Request): Promise<Response>
  /**
   * Answers the service's webhook, mounted at any path: `/hooks/` and `webhookSecret`, or the
   * secret as `Authorization: Bearer`. A webhook is only a hint: the server then reads that order
   * from the service. Without webhooks it learns the same a little later. Answers 204; 404 or 401
   * without the secret; 405; 413; 400 to a body that is no JSON. Never rejects.
   */
  webhook(request: Request): Promise<Response>
  /**
   * Follows every checkout and calls `onStatusChange`, until stopped. One process is enough; more
   * do no harm. `stop` ends within eight seconds and resolves with the work that it left, in words:
   * another process does it again.
   */
  watch(): { stop(): Promise<readonly string[]> }
  /** One round of `watch`, for a scheduled job. Calls `onStatusChange` for a minute at most. */
  watchOnce(): Promise<void>
  /**
   * The prop `initial` of `<Paywindow>`, for a page that your server draws; it has no key. Creates
   * an order only for a POST. Undefined if there is nothing to show yet, or something is wrong:
   * then the widget asks by itself. Let nobody cache the page.
   */
  open(request: Request, target: PageTarget): Promise<Initial | undefined>
  /**
   * HTML of `<pay-window>` with the widget in it, as `open` has it: for a page with the script,
   * which takes over. Let nobody cache the page: `cache-control: private, no-store`.
   */
  html(request: Request, options: HtmlOptions): Promise<string>
  /**
   * Makes a link by which somebody without a session pays a cart: for invoices, e-mails and paper.
   * `offer` gets the link, and decides what it allows. Needs `linkSecret` and `page.url`.
   */
  link(options: LinkOptions): Promise<MadeLink>
  /** Ends all present links of a cart. Their checkouts go on. */
  revokeLinks(reference: string): Promise<void>
  readonly checkouts: MerchantCheckouts
  /**
   * The state of this process and its store. `healthHandler` turns it into answers for load
   * balancers. Takes two seconds at most, asks the service nothing, reads the store at most once in
   * five seconds, and never rejects.
   */
  health(): Promise<Health>
  /**
   * Names the order of a checkout by hand, if it could not be identified.
   *
   * @param options - `confirmed`: binds an order that contradicts the checkout. Default false: it
   *   is refused, and the error says why.
   */
  bind(checkoutId: string, orderId: string, options?: { readonly confirmed?: boolean }): Promise<MerchantCheckout>
  /**
   * Delivers the checkout's last change again, with the same `eventId`, for a merchant whose
   * records were lost. Changes that wait or were given up are delivered at once, too; delivered
   * ones are not. A process that has `onStatusChange` makes the calls.
   *
   * @throws PaywindowError `not_found`, or `invalid_request` where there is nothing to deliver.
   */
  retell(checkoutId: string): Promise<MerchantCheckout>
  /**
   * Waits, for a minute at most, for work that goes on after answers. Resolves with the unfinished
   * work, in words. Call it before a process ends, and in tests.
   */
  settled(): Promise<readonly string[]>
  /** Stops watching, waits as `settled` does, and closes the store: two minutes at the longest. */
  close(): Promise<readonly string[]>
}

/**
 * Creates the merchant server.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 *
 * @example
 * ```ts
 * const service = createSandbox().access
 * const paywindow = createPaywindow({ service, offer: () => null, store: createMemoryStore() })
 * const url = 'https://shop.example/paywindow/offer?reference=cart-42'
 * const response = await paywindow.fetch(new Request(url))
 * response.status // => 404
 * ```
 */
export function createPaywindow(options: PaywindowOptions): PaywindowServer {
  const checked = checkOptions(options)
  const { clock, store, report } = checked
  const background = createBackground(report)
  const own = createContext({ ...checked, offer: offerInTime(checked) }, background.add)
  const links = createLinks({ ...own, secrets: [checked.linkSecret ?? []].flat() })
  const context = { ...own, settings: { ...own.settings, offer: links.telling(own.settings.offer) } }
  const watches = new Set<Watching>()
  const parts = createParts(context, links, () => watches.size > 0)
  const { readInitial, watching } = parts
  const inClear = unencrypted(options.service.baseUrl)
  if (inClear) report(inClear, {})
  const health = createHealth(context)
  const unwatch = checked.telemetry?.watch({ health, now: context.now })
  const settled = async () =>
    (await endsWithin(clock, policy.ending.settleMs, background.whenIdle())) ? [] : ['work that went on after answers']

  return {
    fetch: toFetch((request) => {
      parts.onTraffic()
      return parts.handle(request)
    }),
    webhook: parts.webhook,
    watch: () => {
      const begun = watching.watch()
      watches.add(begun)
      return begun
    },
    watchOnce: watching.watchOnce,
    open: readInitial,
    html: async (request, options) => {
      checkNames('html', options, htmlOptions)
      const { drawElement } = await import('#page')
      const languages = request.headers.get('accept-language') ?? ''
      return drawElement({ ...options, languages, initial: await readInitial(request, options) })
    },
    link: async (options) => {
      checkNames('link', options, linkOptions)
      if (checked.page?.url === undefined) throw invalid('page.url is missing: the whole address of the page for links')
      const { token, expiresAtMs } = await links.make({ ...options, reference: readReference(options.reference) })
      const url = new URL(checked.page.url)
      url.searchParams.set('link', token)
      const { drawCode } = await import('#page')
      return { url: url.href, expiresAtMs, code: drawCode(url.href) }
    },
    revokeLinks: async (reference) => links.revoke(readReference(reference)),
    checkouts: createMerchantCheckouts(context.repository, checked),
    health,
    bind: async (checkoutId, orderId, options) => {
      try {
        return toMerchantCheckout(await parts.binder.bindByHand(checkoutId, orderId, options), checked)
      } catch (error) {
        throw error instanceof PaywindowError ? inOneLine(error) : error
      }
    },
    retell: parts.retell,
    settled,
    close: async () => {
      unwatch?.()
      const left = await Promise.all([...[...watches].map((each) => each.stop()), settled()])
      const isClosed = await endsWithin(clock, policy.ending.settleMs, store.close())
      return [...left.flat(), ...(isClosed ? [] : ['closing the store'])]
    },
  }
}

/** Gives each part the parts that it uses. */
function createParts(context: Context, links: Links, isWatching: () => boolean) {
  const { settings, repository, client, now, inBackground } = context
  const { onStatusChange } = settings
  const delivery = onStatusChange === undefined ? undefined : createDelivery(context, onStatusChange)
  const checkUndelivered = createUndeliveredCheck(context, isWatching)
  const checkUnwatched = createUnwatchedCheck(context)
  const checkClock = createClockCheck(settings.service.baseUrl, settings.report, context.time)
  const { subAccountId } = settings.service
  const pace = { ...context, pagesPerSecond: listPagesPerSecond(settings), subAccountId }
  const orderList = createOrderList(client, pace, (orders) => inBackground(recordPage(orders)))
  const readingTurn = createReadingTurn(context)
  const askingTurns = createAskingTurns(context)
  const startDelivery = () => delivery && inBackground(delivery.deliverDue())
  const tracker = createTracker(context, { orderList, readingTurn, askingTurns }, startDelivery)
  const recordPage = createRecordPage(context, tracker)
  const complete = createDetailsReader(client.orderDetails, settings.report, now)
  const readSituation = createReadSituation(context, orderList, complete)
  const binder = createBinder(context, { readSituation, tracker }, askingTurns)
  const creation = createCreation(context, binder, orderList)
  const allowance = createAllowance(context, creation, createClients(settings, now))
  const iconNames = createIconNames(repository)
  const checkStrays = createStrayCheck(context, orderList)
  const checkouts = createCheckouts(context, { allowance, binder, tracker, iconNames })
  return {
    binder,
    retell: createRetell(context, startDelivery),
    watching: createWatching(context, {
      binder,
      tracker,
      orderList,
      readingTurn,
      delivery,
      // A look shows the service's clock also to a process without traffic.
      checkStrays: () => checkStrays().finally(checkClock),
      checkUndelivered,
    }),
    webhook: createWebhook(settings, createHints(context, { tracker, binder })),
    readInitial: createReadInitial(context, checkouts),
    handle: createHandler(settings, {
      nameIncident: createIncidents(settings.report, context.ids.incident, now),
      checkouts,
      payPage: createPayPage(context, checkouts, links),
      icon: createIconResponder(context, iconNames),
    }),
    /** Without a watching process, requests start the waiting work. */
    onTraffic: atMostEvery(policy.look.seldomMs, now, () => {
      delivery?.announce()
      inBackground(delivery ? delivery.deliverDue() : checkUndelivered())
      inBackground(checkUnwatched())
      checkClock()
    }),
  }
}
