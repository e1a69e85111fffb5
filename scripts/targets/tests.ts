import type { ViteUserConfig } from 'vitest/config'
import { advice } from '../advice.ts'
import { light, source } from './shared.ts'

// Nothing waits for real time in these tests; a busy machine may take its time all the same.
const patient = {
  environment: 'node',
  testTimeout: 30_000,
  setupFiles: source('src/gallery/layoutless.testing.ts'),
  // Its own address is on localhost, where pages belong to developers.
  environmentOptions: { jsdom: { url: 'https://shop.example/' } },
} as const

/** Unit tests. They read sources, also where they import the package by its name, as tsconfig.json says. */
export const tests: ViteUserConfig = {
  test: {
    projects: [
      {
        define: advice,
        resolve: { tsconfigPaths: true },
        test: {
          ...patient,
          name: 'react',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'docs/.vitepress/**/*.test.ts'],
        },
      },
      // What is drawn, with the library of the script and the element.
      {
        resolve: light,
        ssr: { resolve: { conditions: light.conditions } },
        test: { ...patient, name: 'light', include: ['src/gallery/*.test.tsx'] },
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
