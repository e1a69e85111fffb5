/** How a sandbox can be set up: each option picks one of the interpretations that the service's reference leaves open. */
import { checkNames } from '../contract/option-names.ts'
import type { Clock } from '../service/clock.ts'
import type { RateOf } from './assets.ts'
import { systemSleep } from './clock.ts'
import type { FaultHook } from './faults.ts'
import type { Random } from './random.ts'
import type { WebhookOptions } from './webhook-types.ts'

/**
 * Unit of `exp_time`, which the reference does not state. `json` writes any JSON text in its place; `null` leaves it out.
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
 * Meaning of `date_time`, which the reference does not state: when the order was created or until when it is valid, with the same
 * digits as in the list (`created`, `valid-until`); or its creation to the second, or in milliseconds since the epoch. `text` is
 * sent unchanged.
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
 * const options: SandboxOptions = { rates: { BTC: '68000' }, random: seededRandom(1), listInstructions: false }
 * const sandbox = createSandbox(options)
 * ```
 */
export interface SandboxOptions {
  /** The token that it takes. Default `sandbox-token`. */
  readonly accessToken?: string
  /** Sub-accounts that exist. The first one is used where the header may be left out. Default: one, `defaultSubAccountId`. */
  readonly subAccountIds?: readonly [string, ...string[]]
  /** Milliseconds since the epoch. Default: the time of `clock`. */
  readonly now?: () => number
  /** The source of time, which also waits for latency. Default: real time. */
  readonly clock?: Clock
  /** Draws ids, addresses and tags. Default `Math.random`; with `seededRandom(seed)` a run can be repeated. */
  readonly random?: Random
  /** The value of one unit in US dollars, as decimal text above zero. Default, and for assets without one: the sandbox's own. */
  readonly rates?: Readonly<Record<string, string>> | ((symbol: string, nowMs: number) => string | undefined)
  /** Digits of a quote after the point, by symbol: `{ ETH: 18 }`. Default: the sandbox's own of each asset. */
  readonly quoteDecimals?: Readonly<Record<string, number>>
  /** The fewest digits after the point of a target amount in the list and the details: 2 for `49.90`. Default 0. */
  readonly targetDecimals?: number

  /** Whether the creation response has an `id`. Default false, as in the reference. */
  readonly creationId?: boolean
  /** How `exp_time` is written. Default `seconds`: 1200. */
  readonly expTime?: ExpTimeForm
  /** What `date_time` means. Default `created`. */
  readonly dateTime?: DateTimeForm
  /** Value of `deposit`, whose meaning is not stated. Default true. */
  readonly depositFlag?: boolean
  /** Whether `tag` is text or, where it is all digits, a number. Default `text`. */
  readonly tagForm?: 'text' | 'number'

  /** The details: the order itself, or below `order` or `data`. Default `order`. */
  readonly details?: 'order' | 'wrapped' | 'data'
  /** Whether the details have `wallet_address`, `tag`, `amount` and `network`. Default false. */
  readonly detailsInstructions?: boolean
  /** Whether the list's items have them, too. Default false. */
  readonly listInstructions?: boolean
  /** Precision of times. Default `microseconds`. */
  readonly timestamps?: 'microseconds' | 'nanoseconds'
  /** How far the clock that writes `Date` is ahead of the one that orders show, in milliseconds; negative when behind. Default 0. */
  readonly dateAheadMs?: number
  /** How the status of a canceled order is spelt. Default `canceled`. */
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
   * What `status` does to the list: picks orders; nothing; picks among those of the page that would be shown without it; is refused.
   * Default `works`.
   */
  readonly statusFilter?: 'works' | 'ignored' | 'after-paging' | 'refused'
  /** How long a new order is missing from list and details, in milliseconds; asked once for each order. Default 0. */
  readonly appearAfterMs?: () => number
  /** Keys of a wallet. `schema`: `Network` and `type`; `example`: `network` and `wallet_type`; each as in that of the reference. Default `example`. */
  readonly walletKeys?: 'schema' | 'example'
  /** `deleted_at` of a wallet that is not deleted. Default `""`. */
  readonly notDeleted?: '' | null

  /** Confirms a complete deposit by itself after this many milliseconds. Default: only by hand. */
  readonly autoConfirmMs?: number
  /** Cancels an order without a deposit this many milliseconds after the end of its quote. Default: it stays open. */
  readonly cancelExpiredAfterMs?: number
  /** Icon URLs stop working after this many milliseconds, as signed storage URLs do. Default: they keep working. */
  readonly iconLifetimeMs?: number
  /** Called before each request to the service; the fault that it returns is what goes wrong. Default: nothing does. */
  readonly faults?: FaultHook
  /** Who gets the service's webhooks, and what goes wrong with them. Default: nobody gets any. */
  readonly webhooks?: WebhookOptions
}

/** Options with their defaults. */
export interface SandboxSettings {
  readonly accessToken: string
  readonly subAccountIds: readonly [string, ...string[]]
  readonly random: Random
  readonly now: () => number
  readonly sleep: Clock['sleep']
  readonly creationId: boolean
  readonly expTime: ExpTimeForm
  readonly dateTime: DateTimeForm
  readonly depositFlag: boolean
  readonly tagForm: 'text' | 'number'
  readonly details: 'order' | 'wrapped' | 'data'
  readonly detailsInstructions: boolean
  readonly listInstructions: boolean
  readonly finerDigits: number
  readonly canceledSpelling: 'canceled' | 'cancelled'
  readonly direction: 'ascending' | 'descending'
  readonly dateAheadMs: number
  readonly firstPage: 0 | 1
  readonly pageBelowFirst: 'first-page' | 'refused'
  readonly maxPageSize: number
  readonly statusFilter: 'works' | 'ignored' | 'after-paging' | 'refused'
  readonly appearAfterMs: () => number
  readonly walletKeys: 'schema' | 'example'
  readonly notDeleted: '' | null
  readonly autoConfirmMs: number | null
  readonly cancelExpiredAfterMs: number | null
  readonly iconLifetimeMs: number | null
  readonly quoteDecimals: Readonly<Record<string, number>>
  readonly targetDecimals: number
  /** The rates at a given time. */
  readonly ratesAt: (nowMs: number) => RateOf
}

/**
 * The id that the sandbox's sub-account has when none is given: a UUID, as the service's ids are.
 *
 * @example
 * ```ts
 * createSandbox().access.subAccountId === defaultSubAccountId // => true
 * ```
 */
export const defaultSubAccountId = '5b1d8c1e-6f0a-4d38-9a55-3c9d8f2b7a10'

/** All options, so that a misspelt one is no silent default. */
const names = {
  accessToken: 0,
  subAccountIds: 0,
  now: 0,
  clock: 0,
  random: 0,
  rates: 0,
  quoteDecimals: 0,
  targetDecimals: 0,
  creationId: 0,
  expTime: 0,
  dateTime: 0,
  depositFlag: 0,
  tagForm: 0,
  details: 0,
  detailsInstructions: 0,
  listInstructions: 0,
  timestamps: 0,
  dateAheadMs: 0,
  canceledSpelling: 0,
  direction: 0,
  firstPage: 0,
  pageBelowFirst: 0,
  maxPageSize: 0,
  statusFilter: 0,
  appearAfterMs: 0,
  walletKeys: 0,
  notDeleted: 0,
  autoConfirmMs: 0,
  cancelExpiredAfterMs: 0,
  iconLifetimeMs: 0,
  faults: 0,
  webhooks: 0,
} satisfies Record<keyof SandboxOptions, 0>

/** Fills in the defaults. */
export function withDefaults(options: SandboxOptions): SandboxSettings {
  checkNames('createSandbox', options, names)
  const { clock } = options
  return {
    accessToken: options.accessToken ?? 'sandbox-token',
    subAccountIds: options.subAccountIds ?? [defaultSubAccountId],
    random: options.random ?? Math.random,
    now: options.now ?? (clock ? () => clock.now() : Date.now),
    sleep: clock ? (ms, signal) => clock.sleep(ms, signal) : systemSleep,
    creationId: options.creationId ?? false,
    expTime: options.expTime === undefined ? 'seconds' : options.expTime,
    dateTime: options.dateTime === undefined ? 'created' : options.dateTime,
    depositFlag: options.depositFlag ?? true,
    tagForm: options.tagForm ?? 'text',
    details: options.details ?? 'order',
    detailsInstructions: options.detailsInstructions ?? false,
    listInstructions: options.listInstructions ?? false,
    finerDigits: options.timestamps === 'nanoseconds' ? 6 : 3,
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
    ratesAt: (nowMs) => (asset) => ratesOf(options.rates, asset.symbol, nowMs) ?? asset.rate,
  }
}

function ratesOf(rates: SandboxOptions['rates'], symbol: string, nowMs: number): string | undefined {
  if (typeof rates === 'function') return rates(symbol, nowMs)
  return rates && Object.hasOwn(rates, symbol) ? rates[symbol] : undefined
}
