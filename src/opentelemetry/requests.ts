/**
 * A client span and a duration for each request to the service, by OpenTelemetry's conventions for
 * HTTP clients.
 */
import { type Attributes, type Meter, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Occurrence } from '../server/observing/occurrence.ts'

type Request = Extract<Occurrence, { kind: 'service_request' }>

/** Seconds; those that the convention recommends. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/**
 * The span is made when the request has ended, and is a child of what is active then, which is what
 * was active when it was sent.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/
 */
export function createRequests(meter: Meter, tracer: Tracer): (request: Request) => void {
  const duration = meter.createHistogram('http.client.request.duration', {
    description: 'Duration of HTTP client requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries },
  })
  return (request) => {
    const { method, route, url, errorCode, sentAtMs, tookMs } = request
    const attributes = attributesOf(request)
    duration.record(tookMs / 1_000, attributes)
    const span = tracer.startSpan(`${method} ${route}`, {
      kind: SpanKind.CLIENT,
      startTime: sentAtMs,
      attributes: { ...attributes, 'url.full': url },
    })
    if (errorCode !== null) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(sentAtMs + tookMs)
  }
}

function attributesOf({ method, route, url, status, errorCode }: Request): Attributes {
  const { protocol, hostname, port } = new URL(url)
  return {
    'http.request.method': method,
    'url.template': route,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    ...(status !== null && { 'http.response.status_code': status }),
    // A status that is an error is its own type; what is wrong with any other answer has a name of
    // ours.
    ...(errorCode !== null && { 'error.type': status !== null && status >= 400 ? String(status) : errorCode }),
  }
}
