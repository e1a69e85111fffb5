/** Counts what happens to checkouts, and how long it took. */
import type { Meter } from '@opentelemetry/api'
import type { PaywindowErrorCode } from '../contract/errors.ts'
import type { Occurrence } from '../server/observing/occurrence.ts'

/** Seconds. An order is found within seconds as a rule. */
const bindingBoundaries = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800]
/** Seconds. A quote holds for 20 minutes, and a deposit may confirm a day later. */
const payingBoundaries = [10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 21_600, 86_400]
/** Seconds. A callback that fails is repeated for seven days. */
const deliveryBoundaries = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 86_400]

/** Codes that somebody may want to hear of at once. */
const watchedCodes = [
  'binding_contradicted',
  'callback_failed',
  'events_waiting',
  'internal',
  'order_unresolved',
  'paid_twice',
  'paid_less',
  'paid_more',
  'account_changed',
  'order_without_checkout',
  'paid_without_checkout',
  'record_unreadable',
  'service_held_off',
  'service_invalid',
  'status_unknown',
] as const satisfies readonly PaywindowErrorCode[]

type Counted = Exclude<Occurrence, { kind: 'service_request' }>

/** Times are given in ms and recorded in seconds. */
export function createCounts(meter: Meter): (occurrence: Counted) => void {
  const { created, payable, bound, released, statusChanges, reached, delivered, errors } = createInstruments(meter)
  // A series that begins at 1 has not increased: an alarm would miss the first of its kind.
  for (const counter of [payable, released]) counter.add(0)
  for (const code of watchedCodes) errors.add(0, { 'error.type': code })

  return (occurrence) => {
    switch (occurrence.kind) {
      case 'checkout_created':
        return created.add(1, { 'paywindow.asset': occurrence.asset, 'paywindow.network': occurrence.network })
      case 'instructions_received':
        return payable.add(1)
      case 'order_bound':
        return bound.record(occurrence.afterMs / 1_000, { 'paywindow.evidence': occurrence.evidence })
      case 'order_released':
        return released.add(1)
      case 'status_changed': {
        const { status, phase, previousPhase, afterMs } = occurrence
        statusChanges.add(1, { 'paywindow.status': status, 'paywindow.phase': phase })
        if (phase !== previousPhase && (phase === 'seen' || phase === 'paid')) reached[phase].record(afterMs / 1_000)
        return
      }
      case 'change_delivered':
        return delivered.record(occurrence.afterMs / 1_000, { 'paywindow.status': occurrence.status })
      case 'error':
        return errors.add(1, { 'error.type': occurrence.code })
    }
  }
}

function createInstruments(meter: Meter) {
  const count = (name: string, unit: string, description: string) => meter.createCounter(name, { description, unit })
  const seconds = (name: string, explicitBucketBoundaries: number[], description: string) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
  const sinceRequest = (name: string, boundaries: number[], until: string) =>
    seconds(name, boundaries, `From the request for an order until ${until}.`)
  return {
    created: count('paywindow.checkout.created', '{checkout}', 'Checkouts that were begun.'),
    payable: count('paywindow.checkout.payable', '{checkout}', 'Checkouts that got deposit instructions.'),
    bound: sinceRequest('paywindow.checkout.bound.duration', bindingBoundaries, 'the order was found'),
    released: count('paywindow.checkout.released', '{order}', 'Orders that turned out not to be of their checkouts.'),
    statusChanges: count('paywindow.checkout.status_changes', '{change}', 'Changes of status that were stored.'),
    reached: {
      seen: sinceRequest('paywindow.checkout.seen.duration', payingBoundaries, 'a deposit was seen'),
      paid: sinceRequest('paywindow.checkout.paid.duration', payingBoundaries, 'it was known to be paid'),
    },
    delivered: seconds(
      'paywindow.change.delivered.duration',
      deliveryBoundaries,
      'From a change of status being known until onStatusChange has accepted it.',
    ),
    errors: count('paywindow.errors', '{error}', 'Errors, by the codes that onError gets.'),
  }
}
