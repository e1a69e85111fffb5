/** What the parts of the server share: settings, records, the service's client, and time that never runs backwards. */
import type { Settings } from './options.ts'
import type { Ids } from './records/ids.ts'
import type { Repository } from './records/repository.ts'
import type { LifecycleRules } from './records/transitions.ts'
import type { ServiceGate } from './upstream/service-gate.ts'
import type { Time } from './views/browser-view.ts'

/** What the parts share. Each takes the members that it uses. */
export interface Context {
  readonly settings: Settings
  readonly repository: Repository
  /** The only way to the service. */
  readonly client: ServiceGate['client']
  /** State of the gate, and a way through it for what is urgent. */
  readonly gate: Pick<
    ServiceGate,
    'createOrder' | 'heldMs' | 'spare' | 'contact' | 'orderDetails' | 'isAlone' | 'hasCompany' | 'present'
  >
  /** The account of the service, as checkouts name it. */
  readonly account: string
  /** Whether a checkout is of this account. */
  isOwn(account: string | undefined): Promise<boolean>
  readonly rules: LifecycleRules
  readonly ids: Ids
  /** Milliseconds since the epoch; never lower than before in this process. */
  now(): number
  /** The same, or the service's time where ours is more than a day ahead of it: what is planned, archived or deleted goes by it. */
  plannedNow(): number
  /** Ours, and the service's own time as its last answer gave it. */
  time(): Time
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Work that goes on after an answer was sent; failures are reported, and `settled` waits for it. */
  inBackground(work: Promise<unknown>): void
}
