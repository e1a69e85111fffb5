/**
 * Browser tests of what `npm run build` has built. Every test has its own shop and sandbox, so
 * tests may run in any order. Fonts, language and time zone are the project's. Tests that measure
 * places and sizes run again under each other set of fonts. `npm run e2e -- --project=firefox` runs
 * the core flows in Firefox.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { findChromium, findFirefox } from '../scripts/browsers.ts'
import { drawnWith, fontSets } from '../scripts/fonts.ts'
import { firefoxSpecs } from './engines.ts'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found: npm run e2e installs one')

// The repository does not contain the build, and `npm start` builds only a part of it.
if (!existsSync(fileURLToPath(new URL('../dist/index.d.ts', import.meta.url))))
  throw new Error('There is nothing to test yet: npm run build')

/** What needs packages that are not installed here: `npm run test:all` installs them. */
const leftOut = [
  ['stores', 'stores/**'],
  ['.', '{frameworks,hearts,without-scripts}.spec.ts'],
].flatMap(([part = '', specs = '']) => (existsSync(join(import.meta.dirname, part, 'node_modules')) ? [] : [specs]))
if (leftOut.length > 0) console.log(`Left out, because their packages are not installed: ${leftOut.join(', ')}`)

const results = process.env.PAYWINDOW_TEST_RESULTS
const desktop = devices['Desktop Chrome']
/** In `npm test`, which has the fonts of the first set alone. */
const isSmall = results !== undefined && process.env.PAYWINDOW_TESTS !== 'all'
const [ownFonts, ...otherFonts] = isSmall ? fontSets.slice(0, 1) : fontSets
/** They look at places and sizes. */
const measuring = [
  'fonts',
  'frameworks',
  'geometry',
  'hostile',
  'into-view',
  'languages',
  'measures',
  'modals',
  'place',
  'touch',
]
// By hand only: docs/decisions/tests.md.
const firefox = results ? undefined : findFirefox()

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: results !== undefined,
  workers: 2,
  // Ends tests that hang. On a slow machine the longest test took 33 seconds.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ...(results ? [['json', { outputFile: join(results, 'browser.json') }] as const] : [])],
  use: {
    // A trace takes a quarter of a test's time, so `npm test` has none.
    trace: isSmall ? 'off' : 'retain-on-failure',
    locale: 'en-US',
    timezoneId: 'Etc/UTC',
    colorScheme: 'light',
    launchOptions: { executablePath, env: drawnWith(ownFonts) },
  },
  projects: [
    { name: 'chromium', use: desktop, testIgnore: leftOut },
    ...(firefox
      ? [
          {
            name: 'firefox',
            testMatch: firefoxSpecs,
            // The browser that people have, over WebDriver BiDi.
            use: {
              ...devices['Desktop Firefox'],
              // It knows this zone, and not the name that Chromium has for it.
              timezoneId: 'UTC',
              channel: 'moz-firefox',
              launchOptions: { executablePath: firefox, env: drawnWith(ownFonts) },
            },
          },
        ]
      : []),
    ...otherFonts.map((set) => ({
      name: set.name,
      testMatch: measuring.map((name) => `${name}.spec.ts`),
      testIgnore: leftOut,
      grepInvert: /@once/,
      use: { ...desktop, launchOptions: { executablePath, env: drawnWith(set) } },
    })),
  ],
})
