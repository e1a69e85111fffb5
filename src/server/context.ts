/** What the parts of the server share: settings, records, the service's client, and time that never runs backwards. */
import type { ServiceClient } from '../service/types.ts'
import type { LifecycleRules } from './lifecycle.ts'
import type { Settings } from './options.ts'
import type { Repository } from './repository.ts'

export interface Context {
  readonly settings: Settings
  readonly repository: Repository
  readonly client: ServiceClient
  readonly rules: LifecycleRules
  /** Milliseconds since the epoch; never lower than before in this process. */
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Work that goes on after an answer was sent; failures are reported, and `settled` waits for it. */
  inBackground(work: Promise<unknown>): void
  /** Resolves when no background work is under way. */
  settled(): Promise<void>
}

/** A clock that a step back of the machine's own cannot turn back: deadlines only come nearer. */
export function steady(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    latest = Math.max(latest, now())
    return latest
  }
}
