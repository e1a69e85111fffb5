/** Turns what happens in the server into metrics and spans. */
import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import type { Occurrence } from '../server/observing/occurrence.ts'
import type { Telemetry } from '../server/observing/reporting.ts'
import { createCounts } from './counts.ts'
import { createGauges } from './gauges.ts'
import { createRequests } from './requests.ts'

/** The name of the instrumentation scope. */
const scope = 'paywindow'

/**
 * Where metrics and spans go.
 *
 * @example
 * ```ts
 * const options = (meterProvider: OpenTelemetryOptions['meterProvider']): OpenTelemetryOptions => ({ ...(meterProvider && { meterProvider }) })
 * ```
 */
export interface OpenTelemetryOptions {
  /** Default: the global one of `@opentelemetry/api`, as it is when `openTelemetry()` is called. */
  readonly meterProvider?: MeterProvider
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider
}

/**
 * Metrics and traces of a server: `createPaywindow({ …, telemetry: openTelemetry() })`. Call it
 * after your SDK was set up. Without an SDK it does nothing. Names, units and attributes are in
 * docs/observability.
 *
 * @example
 * ```ts
 * const telemetry = openTelemetry()
 * telemetry.note({ kind: 'instructions_received', checkoutId: 'c-1' })
 * ```
 */
export function openTelemetry({ meterProvider, tracerProvider }: OpenTelemetryOptions = {}): Telemetry {
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(scope)
  const tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer(scope)
  const count = createCounts(meter)
  const measureRequest = createRequests(meter, tracer)
  return {
    note: (occurrence: Occurrence) =>
      occurrence.kind === 'service_request' ? measureRequest(occurrence) : count(occurrence),
    watch: createGauges(meter),
  }
}
