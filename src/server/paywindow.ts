/** Puts the parts of the merchant server together. */
import { PaywindowError } from '../contract/errors.ts'
import { endsWithin } from '../service/within.ts'
import { createCheckouts } from './checkout/checkouts.ts'
import { createAllowance } from './checkout/cart-entries.ts'
import { type Context, createContext } from './context.ts'
import { policy } from './core/policy.ts'
import { createCreation } from './creation/creation.ts'
import { type Binder, createBinder } from './following/binder.ts'
import { createHints } from './following/hints.ts'
import { createTakeListed } from './following/recording.ts'
import { createStrayCheck } from './following/strays.ts'
import { createArchiving, createSweep } from './following/sweep.ts'
import { createTracker } from './following/tracker.ts'
import { createAskingTurns, createReadingTurn } from './following/turns.ts'
import { createUnwatchedCheck, createWatcher, createWatching, type Watching } from './following/watching.ts'
import { createHealth, type Health } from './health/health.ts'
import { createClients } from './http/clients.ts'
import { toFetch } from './http/exchange.ts'
import { createHandler, createIncidents, inTime, offerInTime } from './http/handler.ts'
import { createWebhook } from './http/webhook.ts'
import { createIconNames, createIconResponder } from './icons/icons.ts'
import { createDelivery, createRetell, createUndeliveredCheck, offDuty, onDuty } from './notifying/delivery.ts'
import { createNotifier } from './notifying/notifier.ts'
import { inOneLine } from './observing/occurrence.ts'
import { checkOptions, type PaywindowOptions } from './options.ts'
import { createOrderList, listPagesPerSecond } from './orders/order-list.ts'
import { createDetailsReader } from './orders/order-details.ts'
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
   * Answers the service's webhook, mounted at any path: `/hooks/` and `webhookSecret`, or the secret as `Authorization: Bearer`. A webhook is
   * a hint and never believed: the server reads that order from the service now. Without webhooks it learns the same a little later.
   * Answers 204, 404 or 401 without the secret, 405, 413, and 400 to what is no JSON. Never rejects.
   */
  webhook(request: Request): Promise<Response>
  /**
   * Follows every checkout and calls `onStatusChange`, until stopped. One process is enough; more do no harm. `stop` ends within
   * eight seconds and resolves with what it left, in words: another process does it again.
   */
  watch(): { stop(): Promise<readonly string[]> }
  /** One round of `watch`, for a scheduled job where no process stays. Calls `onStatusChange` for a minute at the longest. */
  watchOnce(): Promise<void>
  readonly checkouts: MerchantCheckouts
  /**
   * How this process and its store are: `healthHandler` makes answers for load balancers of it. Takes two seconds at most, asks the service
   * nothing, and reads the store once in five seconds. Never rejects.
   */
  health(): Promise<Health>
  /**
   * Settles by hand which order of the service is a checkout's, when it could not be identified.
   *
   * @param options - `confirmed`: binds an order that contradicts the checkout. Default false: it is refused, and the error says why.
   */
  bind(checkoutId: string, orderId: string, options?: { readonly confirmed?: boolean }): Promise<MerchantCheckout>
  /**
   * Has `onStatusChange` called again for the checkout's last change, with the same `eventId`, and at once for all that wait, also for those
   * that were given up: for a merchant whose own records were lost. A process that has `onStatusChange` makes the calls. Earlier
   * changes are not told again.
   *
   * @throws PaywindowError `not_found`, or `invalid_request` where there is nothing to tell.
   */
  retell(checkoutId: string): Promise<MerchantCheckout>
  /** Resolves when what was started after answers is done, or after a minute, with what was not: before a process ends, and in tests. */
  settled(): Promise<readonly string[]>
  /** Stops watching, waits as `settled` does, and closes the store: two minutes at the longest. Resolves with what was left undone. */
  close(): Promise<readonly string[]>
}

/**
 * Creates the merchant server.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 *
 * @example
 * ```ts
 * const paywindow = createPaywindow({ service: createSandbox().access, offer: () => null, store: createMemoryStore() })
 * const response = await paywindow.fetch(new Request('https://shop.example/paywindow/offer?reference=cart-42'))
 * response.status // => 404
 * ```
 */
export function createPaywindow(options: PaywindowOptions): PaywindowServer {
  const checked = checkOptions(options)
  const { clock, store, report } = checked
  const background = createBackground(report)
  const context = createContext({ ...checked, offer: offerInTime(checked, clock) }, background.add)
  const watches = new Set<Watching>()
  const { handle, webhook, watching, binder, retell, onTraffic } = createParts(context, () => watches.size > 0)
  const inClear = unencrypted(options.service.baseUrl)
  if (inClear) report(inClear, {})
  const health = createHealth(context)
  const unwatch = checked.telemetry?.watch({ health, now: context.now })
  const settled = async () =>
    (await endsWithin(clock, policy.ending.settleMs, background.settled())) ? [] : ['work that went on after answers']

  return {
    fetch: toFetch((request) => {
      onTraffic()
      return handle(request)
    }),
    webhook,
    watch: () => {
      const begun = watching.watch()
      watches.add(begun)
      return begun
    },
    watchOnce: watching.watchOnce,
    checkouts: createMerchantCheckouts(context),
    health,
    bind: createBind(context, binder),
    retell,
    settled,
    close: async () => {
      unwatch?.()
      const left = await Promise.all([...[...watches].map((each) => each.stop()), settled()])
      const isClosed = await endsWithin(clock, policy.ending.settleMs, store.close())
      return [...left.flat(), ...(isClosed ? [] : ['closing the store'])]
    },
  }
}

/** Gives each part what it uses. The lines follow a checkout's way through the server, backwards. */
function createParts(context: Context, isWatching: () => boolean) {
  const { settings, repository, client, now, time, sleep, inBackground } = context
  const { onStatusChange } = settings
  // Null: no process of this shop has a callback, so a change counts as delivered when it was seen.
  const notifier = onStatusChange === undefined ? undefined : createNotifier(context, onStatusChange ?? (() => {}))
  const duty = notifier && (onStatusChange ? onDuty : offDuty)(context, notifier)
  const delivery = duty && createDelivery(context, duty)
  const checkUndelivered = createUndeliveredCheck(context, isWatching)
  const checkUnwatched = createUnwatchedCheck(context)
  const checkClock = createClockCheck(context)
  const orderList = createOrderList(client, {
    now,
    sleep,
    pagesPerSecond: listPagesPerSecond(settings),
    serviceNow: () => time().serviceNowMs ?? now(),
    onPage: (orders) => inBackground(takeListed(orders)),
  })
  const readingTurn = createReadingTurn(context)
  const askingTurns = createAskingTurns(context)
  const startDelivery = () => delivery && inBackground(delivery.deliverDue())
  const tracker = createTracker(context, { orderList, readingTurn, askingTurns }, startDelivery)
  const takeListed = createTakeListed(context, tracker)
  const readSituation = createReadSituation(context, orderList, createDetailsReader(context))
  const binder = createBinder(context, { readSituation, tracker, askingTurns })
  const creation = createCreation(context, binder, orderList)
  const allowance = createAllowance(context, creation, createClients(settings, now))
  const iconNames = createIconNames(repository)
  const watcher = createWatcher(context, { binder, tracker, orderList, readingTurn })
  return {
    binder,
    retell: createRetell(context, startDelivery),
    watching: createWatching(context, {
      watcher,
      delivery,
      sayDuty: () => duty?.say(),
      sweep: createSweep(context),
      archive: createArchiving(context),
      checkStrays: createStrayCheck(context, orderList),
      checkUndelivered,
    }),
    webhook: createWebhook(settings, createHints(context, { tracker, binder })),
    handle: createHandler(settings, {
      nameIncident: createIncidents(context),
      checkouts: inTime(context, createCheckouts(context, { allowance, binder, tracker, iconNames })),
      icon: createIconResponder(context, iconNames),
    }),
    /** If no process watches, requests look after what waits. */
    onTraffic: atMostEvery(policy.look.seldomMs, now, () => {
      inBackground(delivery ? delivery.deliverDue() : checkUndelivered())
      inBackground(checkUnwatched())
      checkClock()
    }),
  }
}

function createBind({ settings }: Pick<Context, 'settings'>, { bindByHand }: Binder): PaywindowServer['bind'] {
  return async (checkoutId, orderId, options) => {
    const bound = await bindByHand(checkoutId, orderId, options).catch((error: unknown) => {
      throw error instanceof PaywindowError ? inOneLine(error) : error
    })
    return toMerchantCheckout(bound, settings)
  }
}
