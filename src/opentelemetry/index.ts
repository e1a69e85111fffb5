/**
 * Entry `paywindow/opentelemetry`: metrics and traces of the merchant server, through
 * `@opentelemetry/api`, for every runtime.
 */
export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts'
