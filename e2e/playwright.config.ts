/**
 * Browser tests of what `npm run build` has built. Every test has its own shop and sandbox, so tests may run in any order. Tests
 * that measure the layout run again under each set of fonts. `npm run e2e -- --project=firefox` runs the core flows in Firefox.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { findChromium, findFirefox } from '../scripts/browsers.ts'
import { fontconfigOf, fontSets } from '../scripts/fonts.ts'
import { firefoxSpecs } from './engines.ts'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found: npm run e2e installs one')

// What is built is not in the repository.
if (!existsSync(fileURLToPath(new URL('../dist/index.js', import.meta.url))))
  throw new Error('There is nothing to test yet: npm run build')

const results = process.env.PAYWINDOW_TEST_RESULTS
const desktop = devices['Desktop Chrome']
// By hand only: docs/decisions/tests.md.
const firefox = results ? undefined : findFirefox()

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: results !== undefined,
  workers: 2,
  // Ends tests that hang, without failing on slow machines: on one, the longest test took 33 seconds.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ...(results ? [['json', { outputFile: join(results, 'browser.json') }] as const] : [])],
  use: { trace: 'retain-on-failure', launchOptions: { executablePath } },
  projects: [
    { name: 'chromium', use: desktop, testIgnore: 'fonts.spec.ts' },
    ...(firefox
      ? [
          {
            name: 'firefox',
            testMatch: firefoxSpecs,
            // The browser that people have, over WebDriver BiDi.
            use: {
              ...devices['Desktop Firefox'],
              channel: 'moz-firefox',
              launchOptions: { executablePath: firefox },
            },
          },
        ]
      : []),
    ...fontSets.map((set) => ({
      name: set.name,
      testMatch: ['fonts.spec.ts', 'geometry.spec.ts', 'measures.spec.ts', 'place.spec.ts'],
      grepInvert: /@once/,
      use: {
        ...desktop,
        launchOptions: { executablePath, env: { ...process.env, FONTCONFIG_FILE: fontconfigOf(set) } },
      },
    })),
  ],
})
