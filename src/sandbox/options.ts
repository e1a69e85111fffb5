/** Options of a sandbox. Most choose one of the readings that the service's reference allows. */
import { checkNames } from '../contract/option-names.ts'
import type { Clock } from '../service/clock.ts'
import type { RateOf } from './assets.ts'
import { systemSleep } from './clock.ts'
import type { FaultHook } from './faults.ts'
import type { Random } from './random.ts'
import type { WebhookOptions } from './webhook-types.ts'

/**
 * Unit of `exp_time`, which the reference does not state. `json`: any JSON text in its place.
 * `null`: left out.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox({ expTime: 'minutes' satisfies ExpTimeForm })
 * ```
 */
export type ExpTimeForm =
  | 'seconds'
  | 'milliseconds'
  | 'minutes'
  | 'epoch-seconds'
  | 'epoch-milliseconds'
  | { readonly json: string }
  | null

/**
 * Meaning of `date_time`, which the reference does not state. `created` and `valid-until`: that
 * time, with the digits of the list. `created-seconds`: the creation, to the second.
 * `created-epoch`: the creation in milliseconds since the epoch. `text`: any text in its place.
 * `null`: left out.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox({ dateTime: 'valid-until' satisfies DateTimeForm })
 * ```
 */
export type DateTimeForm =
  | 'created'
  | 'valid-until'
  | 'created-seconds'
  | 'created-epoch'
  | { readonly text: string }
  | null

/**
 * Settings of `createSandbox`; all have defaults.
 *
 * @example
 * ```ts
 * const options: SandboxOptions = { rates: { BTC: '68000' }, random: seededRandom(1) }
 * const sandbox = createSandbox(options)
 * ```
 */
export interface SandboxOptions {
  /** The token that requests must have. Default `sandbox-token`. */
  readonly accessToken?: string
  /**
   * Sub-accounts that exist. A request that may leave out the header is for the first. Default:
   * one, `defaultSubAccountId`.
   */
  readonly subAccountIds?: readonly [string, ...string[]]
  /** Milliseconds since the epoch. Default: the time of `clock`. */
  readonly now?: () => number
  /** The source of time. It also waits for latency. Default: real time. */
  readonly clock?: Clock
  /**
   * Draws ids, addresses and tags. Default `Math.random`; `seededRandom(seed)` makes a run
   * repeatable.
   */
  readonly random?: Random
  /**
   * Values of one unit in US dollars, by symbol, as decimal text above zero. Default, and for
   * assets without one: the sandbox's own.
   */
  readonly rates?: Readonly<Record<string, string>> | ((symbol: string, nowMs: number) => string | undefined)
  /**
   * Digits of a quote after the point, by symbol: `{ ETH: 18 }`. Default: the sandbox's own of each
   * asset.
   */
  readonly quoteDecimals?: Readonly<Record<string, number>>
  /**
   * Digits after the point that a target amount has at least in list and details: 2 for `49.90`.
   * Default 0.
   */
  readonly targetDecimals?: number

  /** Whether the creation response has an `id`. Default false, as in the reference. */
  readonly creationId?: boolean
  /** How `exp_time` is written. Default `seconds`: 1200. */
  readonly expTime?: ExpTimeForm
  /** What `date_time` means. Default `created`. */
  readonly dateTime?: DateTimeForm
  /** Value of `deposit`, whose meaning is not stated. Default true. */
  readonly depositFlag?: boolean
  /** Type of a `tag` that has only digits. Default `text`. */
  readonly tagForm?: 'text' | 'number'

  /** The details: the order itself, `wrapped` below `order`, or below `data`. Default `order`. */
  readonly details?: 'order' | 'wrapped' | 'data'
  /** Whether the details have `wallet_address`, `tag`, `amount` and `network`. Default false. */
  readonly detailsInstructions?: boolean
  /** Whether list and details have these four fields. Default false. */
  readonly listInstructions?: boolean
  /** Precision of times. Default `microseconds`. */
  readonly timestamps?: 'microseconds' | 'nanoseconds'
  /**
   * How far the header `Date` is ahead of the times of orders, in milliseconds; negative when
   * behind. Default 0.
   */
  readonly dateAheadMs?: number
  /** Spelling of the status of canceled orders. Default `canceled`. */
  readonly canceledSpelling?: 'canceled' | 'cancelled'
  /** Direction of `order_by`. Default `descending`. */
  readonly direction?: 'ascending' | 'descending'
  /** The number of the first page of a list. Default 1. */
  readonly firstPage?: 0 | 1
  /** How a request for a page below the first is answered. Default `first-page`. */
  readonly pageBelowFirst?: 'first-page' | 'refused'
  /** A larger `size` is reduced to this. Default 100. */
  readonly maxPageSize?: number
  /**
   * Effect of `status` on the list. `works`: it filters the list. `ignored`: none. `after-paging`:
   * it filters each page of the unfiltered list. `refused`: such a request is refused. Default
   * `works`.
   */
  readonly statusFilter?: 'works' | 'ignored' | 'after-paging' | 'refused'
  /**
   * How long a new order is missing in list and details, in milliseconds. Called once for each
   * order. Default 0.
   */
  readonly appearAfterMs?: () => number
  /**
   * Keys of a wallet. `schema`: `Network` and `type`, as in the reference's schema. `example`:
   * `network` and `wallet_type`, as in its example. Default `example`.
   */
  readonly walletKeys?: 'schema' | 'example'
  /** `deleted_at` of a wallet that exists. Default `""`. */
  readonly notDeleted?: '' | null

  /** Confirms complete deposits after this many milliseconds. Default: only by hand. */
  readonly autoConfirmMs?: number
  /**
   * Cancels an order without a deposit this many milliseconds after its quote ended. Default: it
   * stays open.
   */
  readonly cancelExpiredAfterMs?: number
  /**
   * Icon URLs stop working after this many milliseconds, as signed URLs do. Default: they keep
   * working.
   */
  readonly iconLifetimeMs?: number
  /** Decides before each request to the service what goes wrong with it. Default: nothing does. */
  readonly faults?: FaultHook
  /** Receivers of the service's webhooks, and faults of webhooks. Default: nobody gets any. */
  readonly webhooks?: WebhookOptions
}

/** Options that the settings have in another form, or not at all. */
const converted = ['clock', 'rates', 'timestamps', 'faults', 'webhooks'] as const
type Converted = (typeof converted)[number]
/** Options without which something never happens. */
type Lifetimes = 'autoConfirmMs' | 'cancelExpiredAfterMs' | 'iconLifetimeMs'

/** Options with their defaults. */
export interface SandboxSettings
  extends Required<Omit<SandboxOptions, Converted | Lifetimes>>,
    Readonly<Record<Lifetimes, number | null>> {
  readonly sleep: Clock['sleep']
  /** Digits of a time below the millisecond. */
  readonly finerDigits: number
  /** The rates at a given time. */
  readonly ratesAt: (nowMs: number) => RateOf
}

/**
 * The default id of the sandbox's sub-account: a UUID, as the service's ids are.
 *
 * @example
 * ```ts
 * createSandbox().access.subAccountId === defaultSubAccountId // => true
 * ```
 */
export const defaultSubAccountId = '5b1d8c1e-6f0a-4d38-9a55-3c9d8f2b7a10'

/** Fills in the defaults. @throws PaywindowError `invalid_options` for a name that is no option's. */
export function withDefaults(options: SandboxOptions): SandboxSettings {
  const { clock } = options
  const sameForm: Omit<SandboxSettings, 'sleep' | 'finerDigits' | 'ratesAt'> = {
    accessToken: options.accessToken ?? 'sandbox-token',
    subAccountIds: options.subAccountIds ?? [defaultSubAccountId],
    random: options.random ?? Math.random,
    now: options.now ?? (clock ? () => clock.now() : Date.now),
    creationId: options.creationId ?? false,
    expTime: options.expTime === undefined ? 'seconds' : options.expTime,
    dateTime: options.dateTime === undefined ? 'created' : options.dateTime,
    depositFlag: options.depositFlag ?? true,
    tagForm: options.tagForm ?? 'text',
    details: options.details ?? 'order',
    detailsInstructions: options.detailsInstructions ?? false,
    listInstructions: options.listInstructions ?? false,
    canceledSpelling: options.canceledSpelling ?? 'canceled',
    direction: options.direction ?? 'descending',
    dateAheadMs: options.dateAheadMs ?? 0,
    firstPage: options.firstPage ?? 1,
    pageBelowFirst: options.pageBelowFirst ?? 'first-page',
    maxPageSize: options.maxPageSize ?? 100,
    statusFilter: options.statusFilter ?? 'works',
    appearAfterMs: options.appearAfterMs ?? (() => 0),
    walletKeys: options.walletKeys ?? 'example',
    notDeleted: options.notDeleted === undefined ? '' : options.notDeleted,
    autoConfirmMs: options.autoConfirmMs ?? null,
    cancelExpiredAfterMs: options.cancelExpiredAfterMs ?? null,
    iconLifetimeMs: options.iconLifetimeMs ?? null,
    quoteDecimals: options.quoteDecimals ?? {},
    targetDecimals: options.targetDecimals ?? 0,
  }
  const names = [...Object.keys(sameForm), ...converted].map((name) => [name, 0] as const)
  checkNames('createSandbox', options, Object.fromEntries(names))
  return {
    ...sameForm,
    sleep: clock ? (ms, signal) => clock.sleep(ms, signal) : systemSleep,
    finerDigits: options.timestamps === 'nanoseconds' ? 6 : 3,
    ratesAt: (nowMs) => (asset) => ratesOf(options.rates, asset.symbol, nowMs) ?? asset.rate,
  }
}

function ratesOf(rates: SandboxOptions['rates'], symbol: string, nowMs: number): string | undefined {
  if (typeof rates === 'function') return rates(symbol, nowMs)
  return rates && Object.hasOwn(rates, symbol) ? rates[symbol] : undefined
}
