/**
 * Decides when requests pause because the service refuses. A refusal pauses all requests. After the
 * pause one trial request is sent, whose answer ends the pause for all. A request that is refused
 * while others are answered pauses alone. This file neither sends nor waits.
 */
import type { ServiceError } from '../../service/errors.ts'
import { createLru } from '../../service/lru.ts'
import { policy } from '../core/policy.ts'

/** The number of failed requests that are remembered. */
const maxRemembered = 1_000

/** Decides whether requests may be sent. */
export type HoldOff = ReturnType<typeof createHoldOff>

interface Failure {
  readonly count: number
  readonly untilMs: number
  /** The number of answers to any requests before this failure. */
  readonly answersBefore: number
}

/** Creates the rules for one service. */
export function createHoldOff(now: () => number) {
  const failures = createFailures(now)
  let hold: { sinceMs: number; untilMs: number; askedUntilMs: number; level: number; why: string } | undefined
  /** When the trial request was sent. */
  let probeSinceMs: number | undefined
  /** Counts refusals. The outcome of a request from an earlier era proves nothing. */
  let era = 0

  function answered(target: string): void {
    failures.forget(target)
    hold = undefined
  }

  function failed(target: string, error: ServiceError, graceMs: number): void {
    if (!hold && !failures.concernsAll(target, error)) {
      failures.holdOne(target, error)
      return
    }
    const level = (hold?.level ?? 0) + 1
    hold = { sinceMs: hold?.sinceMs ?? now(), ...pauseFor(error, level, now()), level, why: error.message }
    era += 1
    failures.note(target, hold.untilMs + graceMs)
  }

  /** The longest pause of simultaneous refusals counts. */
  function lengthen(error: ServiceError): void {
    if (!hold || !refusesAll(error)) return
    const { untilMs, askedUntilMs } = pauseFor(error, 1, now())
    hold.untilMs = Math.max(hold.untilMs, untilMs)
    hold.askedUntilMs = Math.max(hold.askedUntilMs, askedUntilMs)
  }

  return {
    /** Ms until a request may be sent; 0: now. */
    heldMs: (target?: string) => {
      const ownMs = target === undefined ? 0 : failures.heldMs(target)
      const allMs = (hold?.untilMs ?? 0) - now()
      const isProbed =
        hold !== undefined && probeSinceMs !== undefined && now() - probeSinceMs < policy.pause.triedForMs
      return Math.min(policy.pause.longestMs, Math.max(0, ownMs, allMs, isProbed ? policy.pause.whileTriedMs : 0))
    },
    /**
     * Permits a request, if `heldMs` is 0. The sender must call exactly one of the two methods.
     *
     * @param target - Names the kind of request: an order, the list, a creation in some asset.
     * @param graceMs - How long other requests go first if this request is refused. Default 0.
     */
    enter: (target: string, graceMs = 0) => {
      const isProbe = hold !== undefined
      const ownEra = era
      if (isProbe) probeSinceMs = now()
      const isCurrent = () => {
        if (ownEra !== era) return false
        if (isProbe) probeSinceMs = undefined
        return true
      }
      return {
        answered: () => {
          if (isCurrent()) answered(target)
        },
        failed: (error: ServiceError) => {
          if (!isCurrent()) lengthen(error)
          // The regular answers of a working service.
          else if (['refused', 'not_found', 'invalid_request'].includes(error.code)) answered(target)
          else failed(target, error, graceMs)
        },
      }
    },
    /** Ms left of a pause that the service wants of all servers; 0: none. */
    askedForMs: () => Math.max(0, (hold?.askedUntilMs ?? 0) - now()),
    /** Since when the service refuses all requests, and why; undefined if it does not. */
    trouble: () => hold && { sinceMs: hold.sinceMs, why: hold.why },
  }
}

/** Remembers the failures of each target. */
function createFailures(now: () => number) {
  const failures = createLru<Failure>(maxRemembered)
  /** Targets that failed since the last answer, at most `failuresOfAll` of them. */
  const sinceAnswer = new Set<string>()
  let answers = 0

  function note(target: string, untilMs: number): void {
    const count = (failures.get(target)?.count ?? 0) + 1
    failures.set(target, { count, untilMs, answersBefore: answers })
  }

  return {
    note,
    /** Notes that this target was answered. */
    forget: (target: string) => {
      answers += 1
      failures.delete(target)
      sinceAnswer.clear()
    },
    heldMs: (target: string) => (failures.get(target)?.untilMs ?? 0) - now(),
    /** Counts a failure. Returns whether all requests must pause, not only this one. */
    concernsAll: (target: string, error: ServiceError) => {
      const before = failures.get(target)
      const worksForOthers = before !== undefined && answers > before.answersBefore
      if (sinceAnswer.size < policy.pause.failuresOfAll) sinceAnswer.add(target)
      return (refusesAll(error) && !worksForOthers) || sinceAnswer.size >= policy.pause.failuresOfAll
    },
    /** Pauses one target that fails although others are answered. */
    holdOne: (target: string, error: ServiceError) => {
      const count = (failures.get(target)?.count ?? 0) + 1
      note(target, now() + ownHoldMs(error, count))
    },
  }
}

function ownHoldMs(error: ServiceError, count: number): number {
  if (refusesAll(error)) return holdMs(error, count, policy.pause.longestMs)
  return count < policy.pause.failuresOfOne
    ? 0
    : holdMs(error, count - policy.pause.failuresOfOne + 1, policy.pause.longestOfOneMs)
}

/** Whether any other request would be refused, too, by the service or by the token endpoint. */
function refusesAll({ code, retryAfterMs }: ServiceError): boolean {
  return code === 'unauthorized' || code === 'rate_limited' || (code === 'unavailable' && retryAfterMs !== undefined)
}

/** Until when this server sends nothing, and until when other servers must not; 0: they may. */
function pauseFor(error: ServiceError, level: number, nowMs: number) {
  const untilMs = nowMs + holdMs(error, level, policy.pause.longestMs)
  // A refused token may be this server's alone.
  const isForAll = refusesAll(error) && error.code !== 'unauthorized' && error.status !== undefined
  return { untilMs, askedUntilMs: isForAll ? untilMs : 0 }
}

/** The pause that the service wants, or a longer one that doubles with each refusal. */
function holdMs({ retryAfterMs }: ServiceError, level: number, longestMs: number): number {
  const grownMs = policy.pause.firstMs * 2 ** Math.min(level - 1, 20)
  return Math.min(longestMs, Math.max(grownMs, retryAfterMs ?? 0))
}
