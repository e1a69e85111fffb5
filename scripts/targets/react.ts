import type { UserConfig } from 'vite'
import { advice } from '../advice.ts'
import { reactEntries } from '../entries.ts'
import { bundling, licensed, minified, shared } from './shared.ts'

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

/** The React entry. */
export const react: UserConfig = {
  define: advice,
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('react'),
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
