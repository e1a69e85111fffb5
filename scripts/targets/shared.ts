/** What the builds have in common. */
import { fileURLToPath } from 'node:url'
import type { BuildEnvironmentOptions } from 'vite'
import { defaultClientConditions } from 'vite'

/** Absolute path of a file or folder, from one relative to the root of the repository. */
export const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Options of every build. */
export const shared = {
  target: 'es2022',
  // Newer than es2022 implies, so that light-dark() and oklch() arrive as written.
  cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  emptyOutDir: false,
  copyPublicDir: false,
  reportCompressedSize: false,
} satisfies BuildEnvironmentOptions

/** What all bundles share. Spread into `rolldownOptions`, which Vite does not merge here. */
export const bundling = {
  // The package says which of its files in dist have side effects; its sources all may.
  treeshake: { moduleSideEffects: (id: string) => (id.startsWith(source('src/')) ? true : undefined) },
  checks: {
    // TanStack Query says "use client" in each of its files, which means nothing in a bundle.
    moduleLevelDirective: false,
    // Terser is slow, which is known.
    pluginTimings: false,
    // The plugin that shortens variables of the styles moves columns within one text.
    sourcemapBroken: false,
  },
}

/** Writes the licences of what a bundle has in it to a file of its own, which scripts/licenses.ts joins with the others. */
export const licensed = (target: string) => ({ license: { fileName: `licenses-${target}.json` } })

/** By default Vite leaves the white space in libraries, which is a third of them. */
export const minified = { minify: true }

/**
 * What the script and the element have in place of heavier things: preact, and what package.json names for the condition
 * `light` under `imports`.
 */
export const light = {
  conditions: ['light', ...defaultClientConditions],
  alias: [
    { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
    { find: /^react(-dom\/client)?$/, replacement: source('src/element/react.ts') },
  ],
}

/** Libraries leave this to the bundler of the page; what a browser loads as it is must have it decided. */
export const production = { 'process.env.NODE_ENV': '"production"' }
