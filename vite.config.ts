/**
 * One configuration for every build, chosen by mode, and for the unit tests (mode `test`). `scripts/build.ts` runs the modes
 * in turn; see scripts/entries.ts for what each is made of.
 */
import { fileURLToPath } from 'node:url'
import type { BuildEnvironmentOptions, Plugin, UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { cliEntry, elementEntries, reactEntries, scriptEntry, serverEntries } from './scripts/entries.ts'
import { drawCoin } from './src/server/icons/coins/coin-icons.ts'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const shared = {
  target: 'es2022',
  // Newer than es2022 implies, so that light-dark() and oklch() arrive as written.
  cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  emptyOutDir: false,
  copyPublicDir: false,
  reportCompressedSize: false,
} satisfies BuildEnvironmentOptions

/** What all bundles share. Spread into `rolldownOptions`, which Vite does not merge here. */
const bundling = {
  // The package says which of its files in dist have side effects; its sources all may.
  treeshake: { moduleSideEffects: (id: string) => (id.startsWith(source('src/')) ? true : undefined) },
  // TanStack Query says "use client" in each of its files, which means nothing in a bundle.
  checks: { moduleLevelDirective: false },
}

/** Lets browsers compile all of it while it loads, off the main thread, and not piece by piece before the panel stands. */
const compiledEarly = { postBanner: '//# allFunctionsCalledOnLoad' }

/** By default Vite leaves the white space in libraries, which is a third of them. */
const minified = { minify: true }

/** What the script and the element have in place of heavier things. */
const light = [
  { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react(-dom\/client)?$/, replacement: source('src/element/react.ts') },
  { find: /^.*\/(QrCode\.tsx|Later\.tsx|as-is\.ts)$/, replacement: source('src/element/$1') },
]

/** Gives the styles' own variables, `--_line` and the like, names of one letter. */
const shortVariables: Plugin = {
  name: 'short names of variables',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/react/styles.css')) return null
    const names = [...new Set(code.match(/--_[a-z-]+/g))]
    return code.replace(/--_[a-z-]+/g, (name) => `--_${String.fromCharCode(97 + names.indexOf(name))}`)
  },
}

// Libraries leave this to the bundler of the page; what a browser loads as it is must have it decided.
const production = { 'process.env.NODE_ENV': '"production"' }

/** Two files, so that bundlers leave out the screens, what they load, and the code library for those who draw their own. */
const inTwo = {
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: {
    // Each with all that it imports.
    groups: [
      {
        name: 'react-core',
        test: /\/src\/(react\/use-paywindow|checkout\/(address|countdown|network-names|qr-profile))\.ts$/,
        priority: 1,
      },
      { name: 'react-widget', test: /\/src\/react\/Paywindow\.tsx$/ },
    ],
  },
}

/**
 * qrcode.react draws on a canvas too, which nobody asks for. It does not say that its parts can be left out, so that no shop's
 * bundler would: hence it is bundled here.
 */
const withoutCanvas = { manualPureFunctions: ['React.forwardRef'], propertyWriteSideEffects: false } as const

const react: UserConfig = {
  build: {
    ...shared,
    lib: { entry: reactEntries, formats: ['es'] },
    rolldownOptions: {
      ...bundling,
      treeshake: { ...bundling.treeshake, ...withoutCanvas },
      external: [/^react(\/|$)/, /^react-dom(\/|$)/, /^@tanstack\//],
      // Frameworks with server components must know that hooks run in here.
      output: { ...minified, ...inTwo, banner: "'use client'" },
    },
  },
}

const element: UserConfig = {
  define: production,
  resolve: { alias: light },
  build: {
    ...shared,
    lib: { entry: elementEntries, formats: ['es'] },
    rolldownOptions: { ...bundling, output: { ...minified, chunkFileNames: 'chunks/element-[hash].js' } },
  },
}

const script: UserConfig = {
  define: production,
  plugins: [shortVariables],
  resolve: { alias: light },
  build: {
    ...shared,
    // Smaller by 0.3 KiB than by Vite's own minifier. ASCII, because a classic script is read in the encoding of its page, and
    // because a browser keeps a text with one wider character at two bytes each.
    minify: 'terser',
    terserOptions: { ecma: 2020, safari10: false, compress: { inline: 1, passes: 3 }, format: { ascii_only: true } },
    lib: { entry: scriptEntry, formats: ['iife'], name: 'PaywindowScript', fileName: () => 'paywindow.js' },
    rolldownOptions: { ...bundling, output: { ...compiledEarly, codeSplitting: false } },
  },
}

const server: UserConfig = {
  build: {
    ...shared,
    ssr: true,
    rolldownOptions: {
      ...bundling,
      input: { ...serverEntries, ...cliEntry },
      output: { chunkFileNames: 'chunks/server-[hash].js' },
    },
  },
}

/** Browser files of the demo shop. They import the built package by its name, as a shop would. */
const demo = (nodeEnv: 'production' | 'development'): UserConfig => ({
  define: { 'process.env.NODE_ENV': JSON.stringify(nodeEnv) },
  build: {
    ...shared,
    outDir: `dist/demo/${nodeEnv}`,
    minify: nodeEnv === 'production',
    modulePreload: false,
    rolldownOptions: {
      ...bundling,
      input: {
        storefront: 'src/demo/browser/main.tsx',
        shop: 'src/demo/browser/shop.ts',
        payer: 'src/demo/browser/payer.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})

/** `npm run gallery`: every state of the widget, from its sources. */
const gallery: UserConfig = {
  base: './',
  plugins: [
    {
      name: 'coin icons, as a merchant server draws them',
      configureServer: ({ middlewares }) => {
        middlewares.use('/paywindow/icons', async (request, response) => {
          const icon = drawCoin(request.url?.slice(1) ?? '')
          response.writeHead(icon ? 200 : 404, { 'content-type': 'image/svg+xml' }).end(await icon?.text())
        })
      },
    },
  ],
  publicDir: false,
  server: { port: 4243, strictPort: true },
  build: { ...shared, outDir: source('dist/demo/gallery'), modulePreload: false },
}

/** Unit tests read sources, also where they import the package by its name. */
const byName = [
  { find: /^paywindow$/, replacement: source('src/react/index.ts') },
  { find: /^paywindow\/element$/, replacement: source('src/element/index.ts') },
  { find: /^paywindow\/element\/define$/, replacement: source('src/element/define.ts') },
  { find: /^paywindow\/server$/, replacement: source('src/server/index.ts') },
  { find: /^paywindow\/server\/node$/, replacement: source('src/server/node.ts') },
  { find: /^paywindow\/service$/, replacement: source('src/service/index.ts') },
  { find: /^paywindow\/sandbox$/, replacement: source('src/sandbox/index.ts') },
]

// Nothing waits for real time in these tests; a busy machine may take its time all the same.
const patient = {
  environment: 'node',
  testTimeout: 30_000,
  setupFiles: source('src/gallery/layoutless.testing.ts'),
} as const

const test = {
  test: {
    projects: [
      { resolve: { alias: byName }, test: { ...patient, name: 'react', include: ['src/**/*.test.{ts,tsx}'] } },
      // What is drawn, with the library of the script and the element.
      {
        resolve: { alias: light },
        test: { ...patient, name: 'light', include: ['src/gallery/*.test.tsx'] },
      },
      { test: { name: 'chaos', include: ['e2e/chaos/*.test.ts'] } },
    ],
  },
}

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'react':
      return react
    case 'element':
      return element
    case 'script':
      return script
    case 'server':
      return server
    case 'demo':
      return demo('production')
    case 'demo-development':
      return demo('development')
    case 'gallery':
      return gallery
    default:
      return test
  }
})
