import type { ViteUserConfig } from 'vitest/config'
import { advice } from '../advice.ts'
import { hasPage, sharesProcess, unitTests } from '../test-files.ts'
import { light, source } from './shared.ts'

// Nothing waits for real time in these tests; a busy machine may take its time all the same.
const patient = {
  environment: 'node',
  testTimeout: 30_000,
  setupFiles: source('src/gallery/layoutless.testing.ts'),
  // Its own address is on localhost, where pages belong to developers.
  environmentOptions: { jsdom: { url: 'https://shop.example/' } },
} as const

const paged = unitTests().filter(hasPage)
const pageless = unitTests().filter((path) => !hasPage(path))
/** They leave nothing behind, so they share processes: to start one for each took longer than most of them. */
const shared = pageless.filter((path) => sharesProcess(path))
const alone = pageless.filter((path) => !sharesProcess(path))
/** A page for each file, and its libraries loaded once: half the time of a process for each. */
const pages = { ...patient, pool: 'vmThreads' } as const
/** How sources are read outside of a build. */
const asWritten = { define: advice, resolve: { tsconfigPaths: true } }

/** Unit tests. They read sources, also where they import the package by its name, as tsconfig.json says. */
export const tests: ViteUserConfig = {
  test: {
    // One core is kept free otherwise, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      { ...asWritten, test: { ...patient, name: 'shared', include: shared, isolate: false } },
      { ...asWritten, test: { ...patient, name: 'alone', include: alone } },
      { ...asWritten, test: { ...pages, name: 'react', include: paged } },
      // What is drawn, with the library of the script and the element.
      {
        resolve: light,
        ssr: { resolve: { conditions: light.conditions } },
        test: { ...pages, name: 'light', include: ['src/gallery/*.test.tsx'] },
      },
      { test: { name: 'chaos', include: ['e2e/chaos/**/*.test.ts'], exclude: ['e2e/chaos/crash/**'] } },
      // In real time, so nothing else runs beside them.
      { test: { name: 'crash', include: ['e2e/chaos/crash/*.test.ts'] } },
      // On real databases.
      { resolve: { tsconfigPaths: true }, test: { ...patient, name: 'stores', include: ['e2e/stores/*.test.ts'] } },
      // What wallets read, and what merchants measure with.
      { test: { ...patient, name: 'surroundings', include: ['e2e/{telemetry,wallets}/*.test.ts'] } },
      // Of the package as scripts/pack.ts has packed it.
      {
        test: { ...patient, name: 'package', setupFiles: [], testTimeout: 120_000, include: ['e2e/package/*.test.ts'] },
      },
      // Written by scripts/examples.ts from docstrings.
      { test: { name: 'examples', include: ['dist/examples/*.test.tsx'] } },
    ],
  },
}
