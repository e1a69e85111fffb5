/** The real SDK, and the text that a Prometheus would read over HTTP. For tests. */
import { createServer } from 'node:http'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { openTelemetry } from '../../src/opentelemetry/open-telemetry.ts'
import { openPort } from '../../src/server/http/listen.ts'
import type { Telemetry } from '../../src/server/observing/reporting.ts'

/** One line: a name, its labels, a value. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Telemetry, and what came of it. */
export interface Scraped {
  readonly telemetry: Telemetry
  readonly tracerProvider: BasicTracerProvider
  readonly spans: InMemorySpanExporter
  readonly contextManager: AsyncLocalStorageContextManager
  /** What Prometheus reads, as text. */
  scrape(): Promise<string>
  close(): Promise<void>
}

/** Listens on loopback. */
export async function createScraped(): Promise<Scraped> {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const meterProvider = new MeterProvider({ readers: [exporter] })
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const server = createServer((req, res) => exporter.getMetricsRequestHandler(req, res))
  const port = await openPort(server, { port: 0, host: '127.0.0.1' })
  return {
    telemetry: openTelemetry({ meterProvider, tracerProvider }),
    tracerProvider,
    spans,
    contextManager: new AsyncLocalStorageContextManager(),
    scrape: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    close: async () => {
      await meterProvider.shutdown()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Reads what Prometheus reads. */
export function samplesOf(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}
