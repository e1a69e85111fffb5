/** Puts the parts of the merchant server together. */
import { PaywindowError } from '../contract/errors.ts'
import { createServiceClient } from '../service/index.ts'
import { createAllowance } from './allowance.ts'
import { createBinder } from './binder.ts'
import { createCheckouts } from './checkouts.ts'
import { createClients } from './clients.ts'
import { type Context, steady } from './context.ts'
import { createCreation } from './creation.ts'
import { createHandler } from './handler.ts'
import { createIcons } from './icons.ts'
import { createIds } from './ids.ts'
import { type MerchantCheckout, toMerchantCheckout } from './merchant-checkout.ts'
import { createNotifier } from './notifier.ts'
import { checkOptions, type PaywindowOptions } from './options.ts'
import { createOrderFeed } from './order-feed.ts'
import { createRepository } from './repository.ts'
import { createServiceClock } from './service-clock.ts'
import { createServiceGate } from './service-gate.ts'
import { createSurvey } from './survey.ts'
import { createTracker } from './tracker.ts'
import { createWatcher } from './watcher.ts'

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
  /** Follows every checkout until stopped. One process is enough; more do no harm. */
  watch(): { stop(): Promise<void> }
  /** One round of `watch`, for a scheduled job where no process stays. */
  watchOnce(): Promise<void>
  readonly checkouts: MerchantCheckouts
  /** Settles by hand which order of the service is a checkout's, when that could not be told. */
  bind(checkoutId: string, orderId: string): Promise<MerchantCheckout>
  /** Resolves when what was started after answers is done: before a process ends, and in tests. */
  settled(): Promise<void>
  /** Closes the store. */
  close(): Promise<void>
}

/**
 * Creates the merchant server.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 */
export function createPaywindow(options: PaywindowOptions): PaywindowServer {
  const settings = checkOptions(options)
  const { clock } = settings
  const background = new Set<Promise<unknown>>()
  const now = steady(clock)
  const steadyClock = { now, sleep: clock.sleep.bind(clock) }
  const serviceClock = createServiceClock()
  const serviceFetch: typeof fetch = async (input, init) => {
    const sentAtMs = now()
    const answer = await (settings.service.fetch ?? fetch)(input, init)
    const dateMs = Date.parse(answer.headers.get('date') ?? '')
    if (!Number.isNaN(dateMs)) serviceClock.note({ dateMs, sentAtMs, answeredAtMs: now() })
    return answer
  }
  const serviceNowMs = () => {
    const aheadMs = serviceClock.aheadMs()
    return aheadMs === null ? null : now() + aheadMs
  }
  const gate = createServiceGate(
    // What is repeated in here would go round the budget; polls and the watcher ask again by themselves.
    createServiceClient({ ...settings.service, retries: 0, fetch: serviceFetch, clock: steadyClock }),
    {
      requestsPerSecond: settings.serviceRequestsPerSecond,
      now,
      sleep: steadyClock.sleep,
      report: (error) => settings.report(error, {}),
    },
  )
  const context: Context = {
    settings,
    repository: createRepository(settings.store),
    client: gate.client,
    gate,
    rules: { phaseOf: settings.phaseOf, tellsMerchant: settings.onStatusChange !== undefined },
    ids: createIds(settings.randomBytes ?? ((length) => crypto.getRandomValues(new Uint8Array(length)))),
    now,
    time: () => ({ nowMs: now(), serviceNowMs: serviceNowMs() }),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    inBackground: (work) => {
      const reported = work
        .catch((cause: unknown) =>
          settings.report(new PaywindowError('internal', 'Work in the background failed', { cause }), {}),
        )
        .finally(() => background.delete(reported))
      background.add(reported)
    },
    settled: async () => {
      while (background.size > 0) await Promise.all(background)
    },
  }
  const { repository } = context
  const notifier = createNotifier(context)
  const feed = createOrderFeed(context.client, context.now)
  const tracker = createTracker(context, feed, (checkout) => context.inBackground(notifier.deliver(checkout.id)))
  const binder = createBinder(context, createSurvey(context, feed), tracker)
  const creation = createCreation(context, binder)
  const allowance = createAllowance(context, creation, createClients(settings, now))
  const webFetch = settings.service.fetch ?? ((input: string, init: RequestInit) => fetch(input, init))
  const loadIcon = createIcons({
    fetch: settings.iconFetch ?? ((url, init) => fetch(url, { ...init, redirect: 'error' })),
    now: context.now,
    trustedOrigin: new URL(settings.service.baseUrl).origin,
    trustedFetch: (url, init) => webFetch(url, { ...init, redirect: 'error' }),
  })
  const watcher = createWatcher(context, { binder, tracker, feed, notifier })

  return {
    fetch: createHandler(settings, {
      checkouts: createCheckouts(context, { allowance, binder, tracker }),
      icon: async (name) => {
        const checkout = await repository.readCheckout(name)
        const url = checkout ? (checkout.instructions?.iconUrl ?? checkout.method.icon) : await repository.iconUrl(name)
        if (!url) throw new PaywindowError('not_found', 'There is no such icon')
        return loadIcon(url)
      },
    }),
    watch: watcher.watch,
    watchOnce: watcher.watchOnce,
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
    bind: async (checkoutId, orderId) => toMerchantCheckout(await binder.bindByHand(checkoutId, orderId), settings),
    settled: context.settled,
    close: async () => {
      await context.settled()
      await settings.store.close()
    },
  }
}
