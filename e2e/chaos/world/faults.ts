/** What goes wrong, and how likely it is. Each kind of fault draws from its own random stream. */
import type { Findings } from './findings.ts'
import type { SegmentPlan } from './plan.ts'
import { createRandomStream, type RandomStream } from './random.ts'

/** Probability of each kind of fault at each occasion, at fault level 1. A 1 is not scaled. */
const probabilities = {
  'service: slow answer': 0.02,
  'service: reset before work': 0.006,
  'service: reset after work': 0.008,
  'service: hang before work': 0.002,
  'service: hang after work': 0.002,
  'service: 429 with Retry-After': 0.004,
  'service: 429 with a hostile Retry-After': 0.0002,
  'service: refuses for an hour': 1,
  'service: 5xx before work': 0.006,
  'service: 5xx after work': 0.006,
  'service: page of HTML': 0.003,
  'service: page with the time of a gateway': 0.3,
  'service: truncated body': 0.004,
  'service: body twice': 0.003,
  'service: empty body': 0.003,
  'service: order appears late': 0.12,
  'service: clock jumps': 1,
  'service: replica is stuck': 0.5,
  'service: field too long': 0.004,
  'service: damaged address': 0.02,
  'service: words that forge a line': 0.5,
  'service: names an order that it does not know': 0.03,
  'service: equal order of somebody else': 1,
  'service: other order of somebody else': 1,
  'service: address used again': 0.3,
  'service: rounds the amounts of an order': 0.05,
  'service: calls a coin by its other name': 0.1,
  'service: confirms an order for another amount': 0.03,
  'service: gives two requests one order': 0.3,
  'service: confirms days after it canceled': 0.3,
  'link: slow request': 0.01,
  'link: slow answer': 0.01,
  'link: reset before work': 0.006,
  'link: reset after work': 0.006,
  'link: hang': 0.001,
  'link: error page of a proxy': 0.004,
  'link: 429 of a proxy': 0.003,
  'link: truncated body': 0.003,
  'link: body twice': 0.002,
  'link: empty body': 0.002,
  'link: request sent twice': 0.008,
  'link: answers out of order': 0.02,
  'link: cache that keeps all': 0.3,
  'server: crash before a store write': 0.0012,
  'server: crash after a store write': 0.0012,
  'server: crash before an upstream call': 0.0007,
  'server: crash after an upstream call': 0.0007,
  'server: crash before a creation': 0.025,
  'server: crash after a creation': 0.025,
  'server: store refuses a write': 0.0008,
  'server: store writes, then fails': 0.0008,
  'server: store never answers': 0.0004,
  'server: store answers late': 0.0008,
  'server: store writes after it was given up': 0.0004,
  'server: clock jumps': 1,
  'server: clock is months off': 0.1,
  'server: stands still': 0.4,
  'store: clock jumps': 1,
  'store: record that cannot be read': 1,
  'store: restored from a backup': 1,
  'store: kept for another account': 1,
  'merchant: callback throws': 0.08,
  'merchant: callback hangs, then fails': 0.01,
  'merchant: callback never settles': 0.02,
  'merchant: callback is slow': 0.02,
  'merchant: callback accepts, then fails': 0.03,
  'merchant: crash in the callback': 0.01,
  'merchant: offer throws': 0.004,
  'merchant: offer is slow': 0.03,
  'merchant: offer never settles': 0.001,
  'merchant: price moves with each call': 0.05,
  'merchant: reference used again': 0.05,
  'icons: another status': 0.08,
  'icons: a status that is none': 0.03,
  'icons: another type': 0.03,
  'icons: never answers': 0.03,
  'icons: broken body': 0.03,
  'icons: slow body': 0.03,
  'icons: endless body': 0.03,
  'browser: offline': 1,
  'browser: device sleeps': 1,
  'browser: tab hidden': 1,
  'browser: callback of the page fails': 0.05,
  'browser: wall clock is wrong': 1,
  'browser: wall clock jumps': 1,
} as const

/** Names of the faults. */
export type FaultKind = keyof typeof probabilities

/** All kinds of faults. */
export const faultKinds = Object.keys(probabilities) as FaultKind[]

/** Decides what goes wrong. */
export interface Faults {
  /** Draws whether this fault happens now, and counts it if so. `share` scales its probability. */
  strikes(kind: FaultKind, share?: number): boolean
  /** Random numbers for the details of a fault. */
  readonly random: RandomStream
  /** Ends all faults. */
  stop(): void
  readonly stopped: boolean
}

/** Creates the faults of a segment. */
export function createFaults({ seed, faultLevel, without }: SegmentPlan, findings: Findings): Faults {
  const random = new Map(faultKinds.map((kind) => [kind, createRandomStream(seed, `fault ${kind}`)]))
  const faults = {
    random: createRandomStream(seed, 'details of faults'),
    stopped: faultLevel === 0,
    strikes: (kind: FaultKind, share = 1) => {
      if (faults.stopped || without.includes(kind)) return false
      const probability = probabilities[kind] * share
      const scaled = probabilities[kind] === 1 ? probability : probability * faultLevel
      if (!random.get(kind)?.chance(scaled)) return false
      findings.fault(kind)
      return true
    },
    stop: () => {
      faults.stopped = true
    },
  }
  return faults
}

/** Thrown for failures that the simulation injects, so that it can tell them from real ones. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure'
}
