/** The projects of the unit tests. */
import type { ViteUserConfig } from 'vitest/config'
import { advice } from '../advice.ts'
import { hasPage, sharesProcess, unitTests } from '../test-files.ts'
import { light, source } from './shared.ts'

// These tests never wait for real time, but a busy machine is slow.
const patient = {
  environment: 'node',
  testTimeout: 30_000,
  setupFiles: source('src/gallery/layoutless.testing.ts'),
  // The default address is on localhost, where the widget shows notes for developers.
  environmentOptions: { jsdom: { url: 'https://shop.example/' } },
} as const

/** Only on Preact, as the server draws. */
const drawn = unitTests().filter((path) => path.startsWith('src/page/'))
const paged = unitTests().filter((path) => hasPage(path) && !drawn.includes(path))
const pageless = unitTests().filter((path) => !hasPage(path) && !drawn.includes(path))
/** Tests that leave no traces share processes: starting a process takes longer than most tests. */
const shared = pageless.filter((path) => sharesProcess(path))
const alone = pageless.filter((path) => !sharesProcess(path))
/** A page for each file in one process, which takes half the time of a process for each. */
const pages = { ...patient, pool: 'vmThreads' } as const
/** For sources outside of a build. */
const asWritten = { define: advice, resolve: { tsconfigPaths: true } }

/** With Preact, as a server draws. */
const drawing = { resolve: light, ssr: { resolve: { conditions: light.conditions } } }

/** They read sources even if they import the package by its name: tsconfig.json has the paths. */
export const tests: ViteUserConfig = {
  test: {
    // By default one core stays free: half of a machine with two cores.
    maxWorkers: '100%',
    projects: [
      { ...asWritten, test: { ...patient, name: 'shared', include: shared, isolate: false } },
      { ...asWritten, test: { ...patient, name: 'alone', include: alone } },
      { ...asWritten, test: { ...pages, name: 'react', include: paged } },
      // The gallery again with Preact, as in script and element, and what a server draws.
      {
        ...drawing,
        test: { ...pages, name: 'light', include: ['src/gallery/*.test.tsx', ...drawn] },
      },
      { test: { name: 'chaos', include: ['e2e/chaos/**/*.test.ts'], exclude: ['e2e/chaos/crash/**'] } },
      // In real time: nothing else may run beside them.
      { test: { name: 'crash', include: ['e2e/chaos/crash/*.test.ts'] } },
      // On real databases.
      { resolve: { tsconfigPaths: true }, test: { ...patient, name: 'stores', include: ['e2e/stores/*.test.ts'] } },
      // Wallets and telemetry.
      { test: { ...patient, name: 'surroundings', include: ['e2e/{telemetry,wallets}/*.test.ts'] } },
      // Programs of other languages, and the pages to which they send payers.
      { ...drawing, test: { ...patient, name: 'languages', include: ['e2e/languages/*.test.ts'] } },
      // Shops of others with the plug-ins, and the built server.
      {
        test: { ...patient, name: 'plugins', setupFiles: [], testTimeout: 180_000, include: ['e2e/plugins/*.test.ts'] },
      },
      // The package that scripts/pack.ts has packed.
      {
        test: { ...patient, name: 'package', setupFiles: [], testTimeout: 120_000, include: ['e2e/package/*.test.ts'] },
      },
      // Written by scripts/examples.ts from docstrings.
      { test: { name: 'examples', include: ['dist/examples/*.test.tsx'] } },
    ],
  },
}
