/** Browser tests, on what `npm run build` has built. Every test has a shop and a sandbox of its own, so they run in any order. */
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '../scripts/browsers.ts'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found: npm run e2e installs one')

const results = process.env.PAYWINDOW_TEST_RESULTS

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: results !== undefined,
  workers: 2,
  // A machine that is slow is not wrong: the longest test took 33 seconds on one. This ends what hangs.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ...(results ? [['json', { outputFile: join(results, 'browser.json') }] as const] : [])],
  use: { trace: 'retain-on-failure', launchOptions: { executablePath } },
  projects: [{ name: 'chromium', use: { ...devices['Desktop Chrome'] } }],
})
