/** Shared by the parts of the server: settings, records, the way to the service, and time. */
import { PaywindowError } from '../contract/errors.ts'
import { createObservedClient } from '../service/client.ts'
import type { LifecycleRules } from './core/transitions.ts'
import { observedRepository } from './observing/observed-repository.ts'
import { arrivalReader, type Settings } from './options.ts'
import { createIds, type Ids } from './records/ids.ts'
import { createRepository, type Repository } from './records/repository.ts'
import { accountName, storeInTime, storeOfAccount } from './store/store-calls.ts'
import { steadyClock } from './time/work.ts'
import {
  createServiceClock,
  createServiceGate,
  type ServiceClock,
  type ServiceGate,
  timedBy,
} from './upstream/service-gate.ts'

/** Each part takes the members that it uses. */
export interface Context extends Omit<ServiceClock, 'note'> {
  readonly settings: Settings
  readonly repository: Repository
  /** The only way to the service. */
  readonly client: ServiceGate['client']
  /** State of the gate, and a way through it for what is urgent. */
  readonly gate: Omit<ServiceGate, 'client'>
  /** The account of the service, as checkouts name it. */
  readonly account: string
  readonly rules: LifecycleRules
  readonly ids: Ids
  /** Milliseconds since the epoch; never lower than before in this process. */
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Work that goes on after an answer. Failures are reported, and `settled` waits for it. */
  inBackground(work: Promise<unknown>): void
}

/** Every request to the service passes the gate. Time never runs backwards. */
export function createContext(settings: Settings, inBackground: Context['inBackground']): Context {
  const { note } = settings
  const clock = steadyClock(settings.clock)
  const ids = createIds(settings.randomBytes ?? ((length) => crypto.getRandomValues(new Uint8Array(length))))
  const serviceClock = createServiceClock(clock)
  // Before `accountName`: it checks the options of the service.
  const client = createObservedClient(
    // It repeats nothing: repeats would bypass the budget, and polls and the watcher ask again.
    { ...settings.service, retries: 0, clock },
    note && ((request) => note({ kind: 'service_request', ...request })),
  )
  const account = accountName(settings.service)
  const store = storeOfAccount(storeInTime(settings.store, clock), account, () =>
    settings.report(new PaywindowError('account_changed', otherAccount), {}),
  )
  const repository = createRepository(store, settings.report)
  const gate = createServiceGate(timedBy(serviceClock, client), {
    requestsPerSecond: settings.serviceRequestsPerSecond,
    id: ids.secret(),
    updateServers: repository.updateServers,
    inBackground,
    clock,
    report: (error) => settings.report(error, {}),
  })
  const rules = { phaseOf: settings.phaseOf, eventId: ids.eventId, readArrival: arrivalReader(settings) }
  return {
    settings,
    account,
    repository: note ? observedRepository(repository, rules, clock.now, note) : repository,
    client: gate.client,
    gate,
    rules,
    ids,
    ...clock,
    ...serviceClock,
    inBackground,
  }
}

const otherAccount =
  'The store has open checkouts of another account of the service, which this process does not follow. Keep a process with the former service.baseUrl and service.subAccountId on this store until they are paid or have ended; two shops need a store each'
