/**
 * Lets Prometheus itself judge made-up series by the alert rules of docs/observability, where the
 * machine has `promtool`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const rulesFile = fileURLToPath(new URL('../../docs/observability/alerts.yml', import.meta.url))
const noPromtool = spawnSync('promtool', ['--version']).error !== undefined

/**
 * Values by series, one a minute: `1x40` is 1 and then as many more of it, `0+6x40` grows by 6 each
 * time.
 */
type Series = Readonly<Record<string, string>>

const creations = 'http_client_request_duration_count{url_template="/v1/order/exchange"'
const quick = 'paywindow_change_delivered_duration_bucket{le="60"}'
const all = ['300', '+Inf'].map((le) => `paywindow_change_delivered_duration_bucket{le="${le}"}`)
const well: Series = {
  'paywindow_store_ready{instance="a"}': '1x40',
  'paywindow_store_ready{instance="b"}': '1x40',
  paywindow_watched: '1x40',
  paywindow_service_refusing_duration: '0x40',
  paywindow_change_undelivered_age: '3x40',
  paywindow_checkout_unresolved: '2x40',
  'paywindow_errors_total{error_type="order_unresolved"}': '0x40',
  'paywindow_errors_total{error_type="internal"}': '0x40',
  'paywindow_errors_total{error_type="invalid_request"}': '0+9x40',
  [`${creations},http_response_status_code="200"}`]: '0+60x40',
  [`${creations},error_type="503"}`]: '0+6x40',
  [quick]: '0+60x40',
  ...Object.fromEntries(all.map((name) => [name, '0+61x40'])),
}

/** What differs from a shop in which all is well, and the alert that it has to raise, alone. */
const cases: readonly (readonly [alert: string | undefined, series: Series])[] = [
  [undefined, well],
  ['PaywindowMissing', {}],
  ['PaywindowStoreNotReady', { ...well, 'paywindow_store_ready{instance="b"}': '1x10 0x30' }],
  ['PaywindowNotWatched', { ...well, paywindow_watched: '1x20 0x20' }],
  ['PaywindowServiceRefuses', { ...well, paywindow_service_refusing_duration: '0x25 60+60x10' }],
  ['PaywindowServiceRefuses', { ...well, paywindow_service_refusing_duration_seconds: '0x25 60+60x10' }],
  ['PaywindowChangesWait', { ...well, paywindow_change_undelivered_age: '0+60x40' }],
  ['PaywindowSlowDelivery', { ...well, [quick]: '0+50x40' }],
  ['PaywindowNeedsPerson', { ...well, 'paywindow_errors_total{error_type="order_unresolved"}': '0x22 1x18' }],
  ['PaywindowErrors', { ...well, 'paywindow_errors_total{error_type="internal"}': '0x22 1x18' }],
  // Every creation is answered, with what cannot be used: for the request itself that is a success.
  ['PaywindowErrors', { ...well, 'paywindow_errors_total{error_type="service_invalid"}': '0x22 1x18' }],
  ['PaywindowManyUnresolved', { ...well, paywindow_checkout_unresolved: '30x40' }],
  ['PaywindowCreationsFail', { ...well, [`${creations},error_type="503"}`]: '0+20x40' }],
]

const testOf = ([alert, series]: (typeof cases)[number]) => ({
  name: alert ?? 'all is well',
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '30m',
      exp_samples: alert === undefined ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }],
    },
  ],
})

describe.skipIf(noPromtool)(
  noPromtool ? 'SKIPPED: no promtool on this machine (Debian: apt-get install prometheus)' : 'promtool',
  () => {
    it('accepts the alert rules', () => {
      const { status, stdout } = spawnSync('promtool', ['check', 'rules', rulesFile], { encoding: 'utf8' })
      expect(stdout).toContain('10 rules found')
      expect(status).toBe(0)
    })

    it('finds that each alert is raised by what it is for, and by nothing else', () => {
      const folder = mkdtempSync(join(tmpdir(), 'paywindow-alerts-'))
      const file = join(folder, 'tests.yml')
      // JSON is YAML.
      writeFileSync(
        file,
        JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: cases.map(testOf) }),
      )
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
      rmSync(folder, { recursive: true })
      expect(`${stdout}${stderr}`).toContain('SUCCESS')
      expect(status).toBe(0)
      expect(new Set(cases.map(([alert]) => alert)).size).toBe(11)
    })
  },
)
