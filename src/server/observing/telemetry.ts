/** What `paywindow/opentelemetry` is to the server, which knows nothing of OpenTelemetry itself. */
import type { Health } from '../health/health.ts'
import type { Occurrence } from './occurrence.ts'

/**
 * Learns what happens, for measures and traces. `openTelemetry()` of `paywindow/opentelemetry` makes one; so can you, for another system.
 *
 * @example
 * ```ts
 * const counts = new Map<string, number>()
 * const telemetry: Telemetry = {
 *   note: ({ kind }) => counts.set(kind, (counts.get(kind) ?? 0) + 1),
 *   watch: () => () => undefined,
 * }
 * ```
 */
export interface Telemetry {
  /** Something has happened. At most once for each thing, by the process that did it. Has to return at once. */
  note(occurrence: Occurrence): unknown
  /**
   * Called once by each server that is created. `health` may be called as often as somebody reads gauges: it reads the store once in five
   * seconds, and never rejects. `now` is the server's clock, ms since the epoch. Returns what `close()` calls.
   */
  watch(server: { health(): Promise<Health>; now(): number }): () => void
}
