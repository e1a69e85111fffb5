/** The check of the options of `createPaywindow`, and their defaults. */
import { type OrderStatus, orderStatuses, type Phase, phases } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import { canonicalNetwork } from '../contract/networks/table.ts'
import { checkNames } from '../contract/option-names.ts'
import { systemClock } from '../service/clock.ts'
import { createNote } from './observing/note.ts'
import { createRecentReports } from './observing/recent-reports.ts'
import { createReport } from './observing/report.ts'
import type { PaywindowOptions, Settings } from './options.ts'

const defaultPhases: Readonly<Record<OrderStatus, Phase>> = {
  open: 'waiting',
  pending: 'seen',
  confirmed: 'paid',
  canceled: 'ended',
}

/** All options, so that a misspelt one is no silent default. */
export const optionNames = {
  service: 0,
  offer: 0,
  store: 0,
  onStatusChange: 0,
  callbackTimeoutMs: 0,
  onError: 0,
  logger: 0,
  telemetry: 0,
  allowedOrigins: 0,
  publicOrigin: 0,
  clientKey: 0,
  creationsPerClient: 0,
  creationsPerCart: 0,
  serviceRequestsPerSecond: 0,
  test: 0,
  webhookSecret: 0,
  phases: 0,
  tagOptionalOn: 0,
  poolBalance: 0,
  iconFetch: 0,
  randomBytes: 0,
  clock: 0,
} satisfies Record<keyof PaywindowOptions, 0>

function checkForm(options: PaywindowOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('createPaywindow needs options: service, offer and store')
  checkNames('createPaywindow', options, optionNames)
  for (const name of ['test', 'poolBalance'] as const)
    if (!['boolean', 'undefined'].includes(typeof options[name])) throw invalid(`${name} must be true or false`)
  for (const name of ['onError', 'clientKey', 'iconFetch', 'randomBytes'] as const)
    if (!['function', 'undefined'].includes(typeof (options[name] ?? undefined)))
      throw invalid(`${name} must be a function`)
  const status = Object.keys(options.phases ?? {}).find((name) => !orderStatuses.some((each) => each === name))
  if (status !== undefined) throw invalid(`phases.${status} is no status. There are ${orderStatuses.join(', ')}`)
  for (const name of ['allowedOrigins', 'tagOptionalOn'] as const)
    if (options[name] !== undefined && !Array.isArray(options[name])) throw invalid(`${name} must be a list`)
}

/** @throws PaywindowError `invalid_options` naming the option. */
export function checkOptions(options: PaywindowOptions): Settings {
  checkForm(options)
  if (typeof options.offer !== 'function') throw invalid('offer must be a function')
  if (!['function', 'undefined'].includes(typeof (options.onStatusChange ?? undefined)))
    throw invalid('onStatusChange must be a function; null where no process of this shop has one')
  if (typeof options.store?.replace !== 'function')
    throw invalid(
      'store is missing: createMemoryStore in tests, else a durable one of paywindow/server/node, paywindow/server/postgres, paywindow/server/redis or paywindow/server/d1',
    )
  for (const status of orderStatuses) {
    const phase = options.phases?.[status]
    if (phase !== undefined && !phases.includes(phase))
      throw invalid(`phases.${status} must be one of ${phases.join(', ')}`)
  }
  const note = createNote(options)
  const clock = options.clock ?? options.service?.clock ?? systemClock
  const recentReports = options.test ? createRecentReports(() => clock.now()) : undefined
  return {
    ...options,
    clock,
    test: options.test ?? false,
    phaseOf: { ...defaultPhases, ...options.phases },
    allowedOrigins: (options.allowedOrigins ?? []).map((origin) => checkOrigin(origin, 'allowedOrigins')),
    ...(options.publicOrigin !== undefined && { publicOrigin: checkOrigin(options.publicOrigin, 'publicOrigin') }),
    ...(options.webhookSecret !== undefined && { webhookSecret: checkSecret(options.webhookSecret) }),
    creationsPerClient: positive(options.creationsPerClient ?? 30, 'creationsPerClient'),
    creationsPerCart: positive(options.creationsPerCart ?? 20, 'creationsPerCart'),
    callbackTimeoutMs: positive(options.callbackTimeoutMs ?? 30_000, 'callbackTimeoutMs'),
    serviceRequestsPerSecond: atMost(
      positive(options.serviceRequestsPerSecond ?? 20, 'serviceRequestsPerSecond'),
      1_000,
      'serviceRequestsPerSecond',
    ),
    tagOptionalOn: (options.tagOptionalOn ?? []).map(canonicalNetwork),
    note,
    recentReports,
    report: createReport(options, note, recentReports),
  }
}

function checkOrigin(value: string, name: string): string {
  const url = URL.parse(value)
  // Not its `origin`, which is null for the pages of apps: capacitor://localhost.
  if (!url?.host || value !== `${url.protocol}//${url.host}`)
    throw invalid(`${name}: ${JSON.stringify(value)} is not an origin such as https://shop.example`)
  return value
}

function checkSecret(value: string): string {
  if (typeof value !== 'string' || !/^[\w.~-]{16,256}$/.test(value))
    throw invalid(
      "webhookSecret must have 16 to 256 letters, digits, '-', '.', '_' or '~', made at random: openssl rand -hex 24",
    )
  return value
}

function positive(value: number, name: string): number {
  // Timers hold 32 bits.
  if (!Number.isInteger(value) || value < 1 || value > 2_147_483_647)
    throw invalid(`${name} must be a whole number of 1 or more`)
  return value
}

function atMost(value: number, most: number, name: string): number {
  if (value > most) throw invalid(`${name} must be at most ${most}`)
  return value
}

function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', message)
}
