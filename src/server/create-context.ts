/** Makes what the parts of the server share, from the merchant's settings. */
import { PaywindowError } from '../contract/errors.ts'
import { createObservedClient } from '../service/client.ts'
import type { Context } from './context.ts'
import { observedRepository } from './observing/observed-repository.ts'
import type { Settings } from './options.ts'
import { createIds } from './records/ids.ts'
import { createRepository } from './records/repository.ts'
import { createUnreadable } from './records/unreadable.ts'
import { storeInTime } from './store/in-time.ts'
import { accountName, storeOfAccount } from './store/of-account.ts'
import { steady } from './time/steady.ts'
import { createServiceClock, timedBy } from './upstream/service-clock.ts'
import { createServiceGate } from './upstream/service-gate.ts'

/** A clock that is further ahead of the service's is wrong: a day is put right by the sweep, more would end checkouts that are paid. */
const aheadMs = 25 * 3_600_000

/** Everything that goes to the service passes the gate; time never runs backwards. */
export function createContext(settings: Settings, inBackground: Context['inBackground']): Context {
  const { clock, note } = settings
  const now = steady(clock)
  const ids = createIds(settings.randomBytes ?? ((length) => crypto.getRandomValues(new Uint8Array(length))))
  const time = () => {
    const [nowMs, servicesMs] = [now(), serviceClock.aheadMs()]
    return { nowMs, serviceNowMs: servicesMs === null ? null : nowMs + servicesMs }
  }
  const steadyClock = { now, monotonic: clock.monotonic?.bind(clock) ?? now, sleep: clock.sleep.bind(clock) }
  const serviceClock = createServiceClock(steadyClock.monotonic)
  const account = accountName(settings.service)
  const { store, isOwn } = storeOfAccount(storeInTime(settings.store, steadyClock), account, () =>
    settings.report(otherAccount(), {}),
  )
  const repository = createRepository(store, createUnreadable(settings.report))
  const gate = createServiceGate(
    // Repeats in here would bypass the budget; polls and the watcher ask again by themselves.
    timedBy(
      serviceClock,
      createObservedClient(
        { ...settings.service, retries: 0, clock: steadyClock },
        note && ((request) => note({ kind: 'service_request', ...request })),
      ),
    ),
    {
      requestsPerSecond: settings.serviceRequestsPerSecond,
      id: ids.secret(),
      updateServers: repository.updateServers,
      inBackground,
      clock: steadyClock,
      report: (error) => settings.report(error, {}),
    },
  )
  const rules = { phaseOf: settings.phaseOf, eventId: ids.eventId }
  return {
    settings,
    account,
    isOwn,
    repository: note ? observedRepository(repository, { rules, now }, note) : repository,
    client: gate.client,
    gate,
    rules,
    ids,
    now,
    plannedNow: () => {
      const [nowMs, serviceMs] = [now(), serviceClock.nowMs()]
      return serviceMs !== null && nowMs - serviceMs > aheadMs ? serviceMs : nowMs
    },
    time,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    inBackground,
  }
}

function otherAccount(): PaywindowError {
  return new PaywindowError(
    'account_changed',
    'The store has open checkouts of another account of the service, which this process does not follow. Keep a process with the former service.baseUrl and service.subAccountId on this store until they are paid or have ended; two shops need a store each',
  )
}
