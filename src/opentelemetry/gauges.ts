/** Says how a process and its store are, whenever somebody reads. */
import type { Meter, ObservableGauge } from '@opentelemetry/api'
import type { Health } from '../server/health/health.ts'
import type { Telemetry } from '../server/observing/reporting.ts'

/** What a gauge reads; undefined where it is not known. */
type Read = (health: Health, nowMs: number) => number | undefined

const gauges: readonly (readonly [name: string, unit: string, description: string, read: Read])[] = [
  [
    'paywindow.checkout.open',
    '{checkout}',
    'Checkouts without an outcome that changed within half an hour; 100 means 100 or more.',
    ({ backlog }) => backlog?.open,
  ],
  [
    'paywindow.checkout.unresolved',
    '{checkout}',
    'Checkouts whose order is not known; 100 means 100 or more.',
    ({ backlog }) => backlog?.unresolved,
  ],
  [
    'paywindow.checkout.undelivered',
    '{checkout}',
    'Checkouts with changes that onStatusChange has not accepted; 100 means 100 or more.',
    ({ backlog }) => backlog?.untold,
  ],
  [
    'paywindow.change.undelivered.age',
    's',
    'Age of the oldest change that is still to be delivered; 0 where there is none.',
    ({ backlog }) => (backlog === null ? undefined : (backlog.oldestUndeliveredMs ?? 0) / 1_000),
  ],
  [
    'paywindow.store.ready',
    '1',
    '1 where the store answers within two seconds, else 0.',
    ({ isReady }) => Number(isReady),
  ],
  [
    'paywindow.watched',
    '1',
    '1 while some process follows the orders of this store, else 0.',
    ({ isWatched }) => (isWatched === null ? undefined : Number(isWatched)),
  ],
  [
    'paywindow.service.refusing.duration',
    's',
    'How long the service has refused this process; 0 while it does not.',
    ({ service: { refusingSince } }, nowMs) =>
      refusingSince === null ? 0 : Math.max(0, nowMs - Date.parse(refusingSince)) / 1_000,
  ],
]

/** Nothing is read where nobody reads the gauges. */
export function createGauges(meter: Meter): Telemetry['watch'] {
  const observed = gauges.map(([name, unit, description, read]): readonly [ObservableGauge, Read] => [
    meter.createObservableGauge(name, { description, unit }),
    read,
  ])
  const all = observed.map(([gauge]) => gauge)
  return ({ health, now }) => {
    const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
      const read = await health()
      for (const [gauge, readOf] of observed) {
        const value = readOf(read, now())
        if (value !== undefined) result.observe(gauge, value)
      }
    }
    meter.addBatchObservableCallback(observe, all)
    return () => meter.removeBatchObservableCallback(observe, all)
  }
}
