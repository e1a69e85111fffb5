/** Options that builds share. */
import { fileURLToPath } from 'node:url'
import type { BuildEnvironmentOptions, Plugin } from 'vite'
import { defaultClientConditions } from 'vite'

/** The absolute path of a path relative to the root of the repository. */
export const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Options of every build. */
export const shared = {
  target: 'es2022',
  // Newer than es2022 implies, so that light-dark() and oklch() stay as written.
  cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  emptyOutDir: false,
  copyPublicDir: false,
  reportCompressedSize: false,
} satisfies BuildEnvironmentOptions

/** Options of all bundles, to be spread into `rolldownOptions`. */
export const bundling = {
  // package.json lists files of dist with side effects; any source may have them.
  treeshake: { moduleSideEffects: (id: string) => (id.startsWith(source('src/')) ? true : undefined) },
  checks: {
    // Each file of TanStack Query has "use client", which means nothing in a bundle.
    moduleLevelDirective: false,
    // Terser is slow.
    pluginTimings: false,
    // The plugin that shortens variables of the styles moves columns.
    sourcemapBroken: false,
  },
}

/** Writes the licences of a bundle's libraries into a file. scripts/build.ts joins these files. */
export const licensed = (target: string) => ({ license: { fileName: `licenses-${target}.json` } })

/** By default Vite keeps white space in libraries, a third of their size. */
export const minified = { minify: true }

/** Lighter modules for script and element: preact, and the targets of the condition `light`. */
export const light = {
  conditions: ['light', ...defaultClientConditions],
  alias: [
    { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
    { find: /^react(-dom\/client)?$/, replacement: source('src/element/react.ts') },
  ],
}

/** Set for files that browsers load directly. Elsewhere the page's bundler sets it. */
export const production = { 'process.env.NODE_ENV': '"production"' }

/**
 * The other name of a class that pages have variables of: `const URL = 'https://…'`. Some documents
 * for tests, such as happy-dom's, have only the first.
 */
export const plainUrl = { URL: '(globalThis.webkitURL??URL)' }

/**
 * Takes files of their own, such as `paywindow-wallet.js`, from where they are as seen from a
 * bundle: one copy serves all bundles.
 */
export const filesOf = (folder: './' | '../', ...names: readonly string[]): Plugin => ({
  name: 'files of their own',
  enforce: 'pre',
  resolveId: (id) => {
    const name = names.find((each) => id === `#${each}`)
    return name === undefined ? null : { id: `${folder}paywindow-${name}.js`, external: true }
  },
})

/** Another text in place of a part of a code; from `start` up to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The code with these edits, none of which is in another. */
export function edited(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((left, right) => right.start - left.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
}
