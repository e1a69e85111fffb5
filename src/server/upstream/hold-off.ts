/**
 * When requests are held off because the service refuses. A refusal holds off all requests, until one that is sent after a while is
 * answered; a request that is refused while others are answered is held off alone. Pure rules: nothing is sent or waited for here.
 */
import { LRUCache } from 'lru-cache'
import type { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import { policy } from '../core/policy.ts'

/** How many of the last failed requests are remembered. */
const maxRemembered = 1_000

/** Permission to send one request. Exactly one of the two has to be called afterwards. */
interface Leave {
  answered(): void
  failed(error: ServiceError): void
}

/** Decides whether requests may be sent. */
export interface HoldOff {
  /** Ms until a request may be sent; 0: now. */
  heldMs(target?: string): number
  /**
   * To be called when `heldMs` is 0.
   *
   * @param target - Names what is asked for: an order, the list, a creation in some asset.
   * @param graceMs - How long others go first after it was refused. Default 0.
   */
  enter(target: string, graceMs?: number): Leave
  /** Ms for which the service has asked for a pause of the whole account; 0 where it has not. */
  askedForMs(): number
  /** Since when nothing was answered, and why; undefined while all is well. */
  trouble(): { readonly sinceMs: number; readonly why: string } | undefined
}

interface Failure {
  readonly count: number
  readonly untilMs: number
  /** Number of answers of any kind by then. */
  readonly answersBefore: number
}

/** Starts without any hold. */
export function createHoldOff(now: () => number): HoldOff {
  const failures = createFailures(now)
  let hold: { sinceMs: number; untilMs: number; askedUntilMs: number; level: number; why: string } | undefined
  let probeSinceMs: number | undefined
  /** Requests from before the last refusal say nothing about the present. */
  let era = 0

  function answered(target: string): void {
    failures.forget(target)
    hold = undefined
  }

  function failed(target: string, error: ServiceError, graceMs: number): void {
    if (!hold && !failures.meansAll(target, error)) {
      failures.holdOne(target, error)
      return
    }
    const level = (hold?.level ?? 0) + 1
    hold = { sinceMs: hold?.sinceMs ?? now(), ...pauseFor(error, level, now()), level, why: error.message }
    era += 1
    failures.note(target, hold.untilMs + graceMs)
  }

  /** Several requests may have been under way when the first was refused: the longest pause that any of them was asked for counts. */
  function lengthen(error: ServiceError): void {
    if (!hold || !saysNo(error)) return
    const { untilMs, askedUntilMs } = pauseFor(error, 1, now())
    hold.untilMs = Math.max(hold.untilMs, untilMs)
    hold.askedUntilMs = Math.max(hold.askedUntilMs, askedUntilMs)
  }

  return {
    heldMs: (target) => {
      const ownMs = target === undefined ? 0 : failures.heldMs(target)
      const allMs = (hold?.untilMs ?? 0) - now()
      const isProbed =
        hold !== undefined && probeSinceMs !== undefined && now() - probeSinceMs < policy.pause.triedForMs
      return Math.min(policy.pause.longestMs, Math.max(0, ownMs, allMs, isProbed ? policy.pause.whileTriedMs : 0))
    },
    enter: (target, graceMs = 0) => {
      const isProbe = hold !== undefined
      const ownEra = era
      if (isProbe) probeSinceMs = now()
      const isOfNow = () => {
        if (ownEra !== era) return false
        if (isProbe) probeSinceMs = undefined
        return true
      }
      return {
        answered: () => {
          if (isOfNow()) answered(target)
        },
        failed: (error) => {
          if (!isOfNow()) lengthen(error)
          else if (isAnswer(error)) answered(target)
          else failed(target, error, graceMs)
        },
      }
    },
    askedForMs: () => Math.max(0, (hold?.askedUntilMs ?? 0) - now()),
    trouble: () => hold && { sinceMs: hold.sinceMs, why: hold.why },
  }
}

/** Requests that failed, each by itself. */
function createFailures(now: () => number) {
  const failures = new LRUCache<string, Failure>(growingTo(maxRemembered))
  /** Different requests that failed with nothing answered in between; more than `failuresOfAll` say nothing more. */
  const sinceAnswer = new Set<string>()
  let answers = 0

  function note(target: string, untilMs: number): void {
    const count = (failures.get(target)?.count ?? 0) + 1
    failures.set(target, { count, untilMs, answersBefore: answers })
  }

  return {
    note,
    /** Notes that something was answered, namely this. */
    forget: (target: string) => {
      answers += 1
      failures.delete(target)
      sinceAnswer.clear()
    },
    heldMs: (target: string) => (failures.get(target)?.untilMs ?? 0) - now(),
    /** Counts a failure. Returns whether it means the service and not this request. */
    meansAll: (target: string, error: ServiceError) => {
      const before = failures.get(target)
      const isAlone = before !== undefined && answers > before.answersBefore
      if (sinceAnswer.size < policy.pause.failuresOfAll) sinceAnswer.add(target)
      return (saysNo(error) && !isAlone) || sinceAnswer.size >= policy.pause.failuresOfAll
    },
    /** Holds off one request that fails although others are answered. */
    holdOne: (target: string, error: ServiceError) => {
      const count = (failures.get(target)?.count ?? 0) + 1
      note(target, now() + ownHoldMs(error, count))
    },
  }
}

function ownHoldMs(error: ServiceError, count: number): number {
  if (saysNo(error)) return holdMs(error, count, policy.pause.longestMs)
  return count < policy.pause.failuresOfOne
    ? 0
    : holdMs(error, count - policy.pause.failuresOfOne + 1, policy.pause.longestOfOneMs)
}

/** Whether the error is an answer of a working service. */
function isAnswer({ code }: ServiceError): boolean {
  return code === 'refused' || code === 'not_found' || code === 'invalid_request'
}

/** Whether everybody is refused, by the service or by this server's own token endpoint. */
function saysNo({ code, retryAfterMs }: ServiceError): boolean {
  return code === 'unauthorized' || code === 'rate_limited' || (code === 'unavailable' && retryAfterMs !== undefined)
}

/** Whether the service asks for a pause: a token that it refuses, or that cannot be had, may be that of this server alone. */
function asksForPause(error: ServiceError): boolean {
  return saysNo(error) && error.code !== 'unauthorized' && error.status !== undefined
}

/** Until when nothing is sent, and until when others on the account are to send nothing; 0: they may. */
function pauseFor(error: ServiceError, level: number, nowMs: number) {
  const untilMs = nowMs + holdMs(error, level, policy.pause.longestMs)
  return { untilMs, askedUntilMs: asksForPause(error) ? untilMs : 0 }
}

/** The pause that was asked for, but at least one that grows with each refusal, and at most the longest. */
function holdMs({ retryAfterMs }: ServiceError, level: number, longestMs: number): number {
  const grownMs = policy.pause.firstMs * 2 ** Math.min(level - 1, 20)
  return Math.min(longestMs, Math.max(grownMs, retryAfterMs ?? 0))
}
