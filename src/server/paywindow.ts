/** Puts the parts of the merchant server together. */
import { PaywindowError } from '../contract/errors.ts'
import { createServiceClient } from '../service/index.ts'
import { endsWithin } from '../service/within.ts'
import { createAllowance } from './checkout/allowance.ts'
import { createCheckouts } from './checkout/checkouts.ts'
import { type Context, steady } from './context.ts'
import { createCreation } from './creation/creation.ts'
import { createBinder } from './following/binder.ts'
import { createSweep } from './following/sweep.ts'
import { createTracker } from './following/tracker.ts'
import { createWatcher } from './following/watcher.ts'
import { createWatching, type Watching } from './following/watching.ts'
import { createClients } from './http/clients.ts'
import { createHandler } from './http/handler.ts'
import { inTime, offerInTime } from './http/in-time.ts'
import { createIncidents } from './http/incidents.ts'
import { drawCoin } from './icons/coins/coin-icons.ts'
import { createIconNames } from './icons/icon-names.ts'
import { createIcons } from './icons/icons.ts'
import { createTeller } from './notifying/delivery.ts'
import { inOneLine } from './notifying/error-text.ts'
import { createNotifier } from './notifying/notifier.ts'
import { createWaitingCheck } from './notifying/undelivered.ts'
import { checkOptions, type PaywindowOptions } from './options.ts'
import { createSurvey } from './orders/findings.ts'
import { createOrderFeed } from './orders/order-list.ts'
import { createPlaceReader } from './orders/places.ts'
import { createIds } from './records/ids.ts'
import { createRepository } from './records/repository.ts'
import { createUnreadable } from './records/unreadable.ts'
import { createBackground } from './time/background.ts'
import { createServiceClock, tellingTime } from './upstream/service-clock.ts'
import { createServiceGate } from './upstream/service-gate.ts'
import { type MerchantCheckout, toMerchantCheckout } from './views/merchant-view.ts'

/** `settled` and `close` wait no longer than this for work, and `close` once more for the store. */
const settleMs = 60_000
const minuteMs = 60_000

/** The merchant's own view of the checkouts: for order pages, support and reports. */
export interface MerchantCheckouts {
  get(id: string): Promise<MerchantCheckout | undefined>
  /**
   * Newest first, at most `limit` (default 100, at most 1,000); `before` is the id of the last one of the page before.
   * `unresolved`: those whose order cannot be told; `untold`: those with changes that `onStatusChange` has not accepted.
   */
  list(query?: {
    reference?: string
    only?: 'unresolved' | 'untold'
    before?: string
    limit?: number
  }): Promise<MerchantCheckout[]>
}

/** The merchant server's half of Paywindow. */
export interface PaywindowServer {
  /** Answers the widget's requests, mounted at any path. Never rejects. */
  fetch(request: Request): Promise<Response>
  /**
   * Follows every checkout and calls `onStatusChange`, until stopped. One process is enough; more do no harm. `stop` ends within
   * eight seconds and resolves with what it left, in words: another process does it again.
   */
  watch(): { stop(): Promise<readonly string[]> }
  /** One round of `watch`, for a scheduled job where no process stays. Calls `onStatusChange` for a minute at the longest. */
  watchOnce(): Promise<void>
  readonly checkouts: MerchantCheckouts
  /** Settles by hand which order of the service is a checkout's, when that could not be told. */
  bind(checkoutId: string, orderId: string): Promise<MerchantCheckout>
  /** Resolves when what was started after answers is done, or after a minute, with what was not: before a process ends, and in tests. */
  settled(): Promise<readonly string[]>
  /** Stops watching, waits as `settled` does, and closes the store: two minutes at the longest. Resolves with what was left undone. */
  close(): Promise<readonly string[]>
}

/**
 * Creates the merchant server.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 */
export function createPaywindow(options: PaywindowOptions): PaywindowServer {
  const checked = checkOptions(options)
  const { clock } = checked
  const settings = { ...checked, offer: offerInTime(checked, clock) }
  const background = createBackground(settings.report)
  const now = steady(clock)
  const steadyClock = { now, monotonic: clock.monotonic?.bind(clock) ?? now, sleep: clock.sleep.bind(clock) }
  const ids = createIds(settings.randomBytes ?? ((length) => crypto.getRandomValues(new Uint8Array(length))))
  const serviceClock = createServiceClock()
  const serviceNowMs = () => {
    const aheadMs = serviceClock.aheadMs()
    return aheadMs === null ? null : now() + aheadMs
  }
  const gate = createServiceGate(
    // What is repeated in here would go round the budget; polls and the watcher ask again by themselves.
    tellingTime(createServiceClient({ ...settings.service, retries: 0, clock: steadyClock }), serviceClock),
    {
      requestsPerSecond: settings.serviceRequestsPerSecond,
      clock: steadyClock,
      report: (error) => settings.report(error, {}),
    },
  )
  const context: Context = {
    settings,
    repository: createRepository(settings.store, createUnreadable(settings.report)),
    client: gate.client,
    gate,
    rules: { phaseOf: settings.phaseOf, eventId: ids.eventId },
    ids,
    now,
    time: () => ({ nowMs: now(), serviceNowMs: serviceNowMs() }),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    inBackground: background.add,
  }
  const { repository } = context
  // Null: no process of this shop is told, so that a change has been told when somebody saw it.
  const callback = settings.onStatusChange === null ? () => {} : settings.onStatusChange
  const teller = callback && createTeller(context, createNotifier(context, callback))
  const checkWaiting = createWaitingCheck(context)
  const feed = createOrderFeed(context.client, context.now, context.sleep)
  const tracker = createTracker(context, feed, () => teller && context.inBackground(teller.tellDue()))
  const binder = createBinder(context, createSurvey(context, feed, createPlaceReader(context.client)), tracker)
  const creation = createCreation(context, binder, feed)
  const allowance = createAllowance(context, creation, createClients(settings, now))
  const webFetch = settings.service.fetch ?? ((input: string, init: RequestInit) => fetch(input, init))
  const iconNames = createIconNames(settings, repository)
  const iconAt = createIcons({
    fetch: settings.iconFetch ?? ((url, init) => fetch(url, { ...init, redirect: 'error' })),
    now: context.now,
    sleep: context.sleep,
    trustedOrigin: new URL(settings.service.baseUrl).origin,
    trustedFetch: (url, init) => webFetch(url, { ...init, redirect: 'error' }),
  })
  const watcher = createWatcher(context, { binder, tracker, feed })
  const watching = createWatching(context, { watcher, teller, sweep: createSweep(context), checkWaiting })
  const watches = new Set<Watching>()
  const onTraffic = atMostEvery(minuteMs, now, () => context.inBackground(teller ? teller.tellDue() : checkWaiting()))
  const settled = async () =>
    (await endsWithin(clock, settleMs, background.settled())) ? [] : ['work that went on after answers']
  const handle = createHandler(settings, {
    nameIncident: createIncidents({ ids, settings, now }),
    checkouts: inTime(context, createCheckouts(context, { allowance, binder, tracker, iconNames })),
    icon: async (name, request) => {
      const drawn = drawCoin(name)
      if (drawn) return drawn
      const place = await iconNames.find(name, request)
      if (!place) throw new PaywindowError('not_found', 'There is no such icon')
      return iconAt(place)
    },
  })

  return {
    fetch: (request) => {
      onTraffic()
      return handle(request)
    },
    watch: () => {
      const begun = watching.watch()
      watches.add(begun)
      return begun
    },
    watchOnce: watching.watchOnce,
    checkouts: {
      get: async (id) => {
        const checkout = await repository.readCheckout(id)
        return checkout && toMerchantCheckout(checkout, settings)
      },
      list: async ({ reference, only, before, limit: wanted = 100 } = {}) => {
        const label = reference === undefined ? (only ?? 'all') : (`cart ${reference}` as const)
        const listed = await repository.listCheckouts(label, {
          limit: Math.min(wanted, 1000),
          ...(before !== undefined && { before }),
        })
        return listed.map((checkout) => toMerchantCheckout(checkout, settings))
      },
    },
    bind: async (checkoutId, orderId) => {
      const bound = await binder.bindByHand(checkoutId, orderId).catch((error: unknown) => {
        throw error instanceof PaywindowError ? inOneLine(error) : error
      })
      return toMerchantCheckout(bound, settings)
    },
    settled,
    close: async () => {
      const left = await Promise.all([...[...watches].map((each) => each.stop()), settled()])
      const isClosed = await endsWithin(clock, settleMs, settings.store.close())
      return [...left.flat(), ...(isClosed ? [] : ['closing the store'])]
    },
  }
}

/** Does something on the first occasion and then at most once in this time. */
function atMostEvery(ms: number, now: () => number, work: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lastMs < ms) return
    lastMs = now()
    work()
  }
}
