/**
 * Short names for refusals that a payer cannot cure: the payer is asked to give the shop the name, and the shop finds it with the
 * error that `onError` was called with.
 */
import type { PaywindowError } from '../../contract/errors.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import type { Settings } from '../options.ts'
import type { Ids } from '../records/ids.ts'

/** Anybody can cause refusals; no more are named and reported in a minute. */
const mostInAMinute = 60

interface Parts {
  readonly ids: Pick<Ids, 'incident'>
  readonly settings: Pick<Settings, 'report'>
  readonly now: () => number
}

/** Reports an error and returns its name; undefined for errors that need nobody's help. */
export type NameIncident = (error: PaywindowError, status: number) => string | undefined

/** Names are random, of six letters and digits, and say nothing about the payer. */
export function createIncidents({ ids, settings, now }: Parts): NameIncident {
  let minute = 0
  let count = 0
  return (error, status) => {
    const isOwn = status === statusOfCode.internal
    if (!isOwn && !needHelp.has(status)) return undefined
    const current = Math.floor(now() / 60_000)
    count = current === minute ? count + 1 : 1
    minute = current
    // Failures of our own are always reported.
    if (!isOwn && count > mostInAMinute) return undefined
    const incident = ids.incident()
    settings.report(error, { incident })
    return incident
  }
}

const {
  invalid_request,
  forbidden_origin,
  request_too_large,
  unsupported_media_type,
  method_not_offered,
  service_refused,
} = statusOfCode
const needHelp: ReadonlySet<number> = new Set([
  invalid_request,
  forbidden_origin,
  request_too_large,
  unsupported_media_type,
  method_not_offered,
  service_refused,
])
