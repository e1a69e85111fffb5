/** Builds of the package's entries, but for the script tag. */
import type { UserConfig } from 'vite'
import { advice } from '../advice.ts'
import { cliEntry, elementEntries, reactEntries, serverEntries } from '../entries.ts'
import { leaner } from './leaner.ts'
import { bundling, filesOf, licensed, light, minified, plainUrl, production, shared } from './shared.ts'

/** Two files, so that shops with their own screens bundle neither ours nor the QR code. */
const inTwo = {
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: {
    // A group takes all that its files import.
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
 * Leaves out the canvas of qrcode.react, which nothing uses. The library does not say that its
 * parts have no side effects, so bundlers of shops would keep it.
 */
const withoutCanvas = { manualPureFunctions: ['React.forwardRef'], propertyWriteSideEffects: false } as const

/** The React entry. */
export const react: UserConfig = {
  define: advice,
  plugins: [leaner, filesOf('../', 'wallet')],
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('react'),
    lib: { entry: reactEntries, formats: ['es'] },
    rolldownOptions: {
      ...bundling,
      treeshake: { ...bundling.treeshake, ...withoutCanvas },
      external: [/^react(\/|$)/, /^react-dom(\/|$)/, /^@tanstack\//],
      // Tells frameworks with server components that this code has hooks.
      output: { ...minified, ...inTwo, banner: "'use client'" },
    },
  },
}

/** The custom element. */
export const element: UserConfig = {
  define: { ...production, ...advice, ...plainUrl },
  plugins: [leaner, filesOf('../', 'wallet')],
  resolve: light,
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('element'),
    lib: { entry: elementEntries, formats: ['es'] },
    rolldownOptions: { ...bundling, output: { ...minified, chunkFileNames: 'chunks/element-[hash].js' } },
  },
}

/** A file of its own, which is loaded only where it is needed. */
const beside = (name: string): UserConfig => ({
  define: advice,
  build: {
    ...shared,
    ...licensed(name),
    // Not named in the file: a page that serves a copy has no map.
    sourcemap: 'hidden',
    lib: { entry: { [`paywindow-${name}`]: `src/${name}/index.ts` }, formats: ['es'] },
    rolldownOptions: { ...bundling, output: minified },
  },
})

/** The developer's notes, for a developer's machine. */
export const developer = beside('developer')

/** The list of wallets, for payers who ask for it. */
export const wallet = beside('wallet')

/** What draws on servers, with the components of the element. The server loads it when it draws. */
export const page: UserConfig = {
  define: { ...production, ...advice },
  plugins: [filesOf('./', 'wallet')],
  resolve: light,
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('page'),
    lib: { entry: { 'paywindow-page': 'src/page/index.ts' }, formats: ['es'] },
    rolldownOptions: { ...bundling, output: minified },
  },
}

/** The server entries and the command. */
export const server: UserConfig = {
  plugins: [filesOf('../', 'page')],
  // The desk draws with it, and no shop has to install it.
  ssr: { noExternal: [/^preact/] },
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('server'),
    ssr: true,
    rolldownOptions: {
      ...bundling,
      input: { ...serverEntries, ...cliEntry },
      output: { chunkFileNames: 'chunks/server-[hash].js' },
    },
  },
}
