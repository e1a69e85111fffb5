/**
 * Metrics of `paywindow serve` for Prometheus, with the OpenTelemetry packages of the merchant's
 * project.
 */
import { createServer, type RequestListener } from 'node:http'
import type { OpenTelemetryOptions } from '../opentelemetry/open-telemetry.ts'
import { openPort } from '../server/http/listen.ts'
import type { Telemetry } from '../server/observing/reporting.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { importFrom } from './import-from.ts'
import type { World } from './world.ts'

/** Metrics on a port of their own: `/books/metrics` has those of the shop `books`. */
export interface Metrics {
  readonly port: number
  telemetryOf(shop: string): Telemetry
  end(): Promise<void>
}

interface ExporterModule {
  readonly PrometheusExporter: new (options: {
    readonly preventServerStart: true
  }) => { readonly getMetricsRequestHandler: RequestListener }
}

interface SdkModule {
  readonly MeterProvider: new (options: {
    readonly readers: readonly unknown[]
  }) => NonNullable<OpenTelemetryOptions['meterProvider']> & { shutdown(): Promise<void> }
}

const packages = ['@opentelemetry/api', '@opentelemetry/sdk-metrics', '@opentelemetry/exporter-prometheus'] as const

/**
 * Each shop is a target of its own, so that alerts and dashboards of one server fit.
 *
 * @returns Rejects with a CommandFailure where packages are missing, and with Node's error where
 *   the port cannot be used.
 */
export async function openMetrics(
  shops: readonly string[],
  { port, host }: { readonly port: number; readonly host: string | undefined },
  world: Pick<World, 'folder'>,
): Promise<Metrics> {
  const [api, sdk, exporters] = await Promise.all(packages.map((name) => importFrom(world.folder, name)))
  if (!api || !sdk || !exporters)
    throw new CommandFailure(
      exitCodes.usage,
      `metricsPort needs packages that are not installed in ${world.folder}: npm install ${packages.join(' ')}`,
    )
  const { openTelemetry } = await import('../opentelemetry/open-telemetry.ts')
  const meters = new Map(
    shops.map((shop) => {
      const exporter = new (exporters as ExporterModule).PrometheusExporter({ preventServerStart: true })
      const provider = new (sdk as SdkModule).MeterProvider({ readers: [exporter] })
      return [shop, { exporter, provider, telemetry: openTelemetry({ meterProvider: provider }) }]
    }),
  )
  const server = createServer((request, response) => {
    const shop = /^\/([a-z0-9-]+)\/metrics$/.exec(request.url ?? '')?.[1]
    const exporter = meters.get(shop ?? '')?.exporter
    if (exporter) return exporter.getMetricsRequestHandler(request, response)
    response.writeHead(404).end(`There is ${shops.map((name) => `/${name}/metrics`).join(', ')}\n`)
  })
  return {
    port: await openPort(server, { port, ...(host !== undefined && { host }) }),
    telemetryOf: (shop) => {
      const meter = meters.get(shop)
      if (!meter) throw new Error(`${shop} is no shop of this server`)
      return meter.telemetry
    },
    end: async () => {
      for (const { provider } of meters.values()) await provider.shutdown()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
