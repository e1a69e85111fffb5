import type { Plugin, UserConfig } from 'vite'
import { scriptEntry } from '../entries.ts'
import { leaner } from './leaner.ts'
import { bundling, filesOf, licensed, light, production, shared } from './shared.ts'

/** Lets browsers compile the whole script while it loads, off the main thread. */
const compiledEarly = { postBanner: '//# allFunctionsCalledOnLoad' }

/** Shortens private variables of the styles, such as `--_line`, to one letter. */
const shortVariables: Plugin = {
  name: 'short names of variables',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/react/styles.css')) return null
    const names = [...new Set(code.match(/--_[a-z-]+/g))]
    return code.replace(/--_[a-z-]+/g, (name) => `--_${String.fromCharCode(97 + names.indexOf(name))}`)
  },
}

/**
 * Fields that never leave the script: their names are shortened. `e2e/bundles.spec.ts` checks that
 * no answer, option, event or language has a field with such a name.
 */
export const ownNames: readonly string[] = [
  'actionError',
  'alphaNumeric',
  'announce',
  'build',
  'checkedAt',
  'checkedAtMs',
  'choices',
  'deadline',
  'delayMs',
  'endsAtMs',
  'failures',
  'handOver',
  'handle',
  'isDone',
  'isDue',
  'jitter',
  'minCorrectionLevel',
  'minVersion',
  'monotonicMs',
  'natives',
  'notBeforeMs',
  'onCopied',
  'onOpen',
  'onPick',
  'onTick',
  'opensWallet',
  'quicken',
  'sentAt',
  'shownAs',
  'shownForMs',
  'shownSinceMs',
  'speech',
  'takesFocus',
  'timeLeftMs',
  'trouble',
  'unknownSinceMs',
  'untilMs',
  'viewed',
  'wallMs',
]

/** The script tag: one file with everything that payers load. */
export const script: UserConfig = {
  define: production,
  plugins: [leaner, shortVariables, filesOf('./', 'developer', 'wallet')],
  resolve: light,
  build: {
    ...shared,
    // Not named in the file, which would be bytes for every payer.
    sourcemap: 'hidden',
    ...licensed('script'),
    // 0.3 KiB smaller than with Vite's minifier. ASCII, because browsers read a classic script in
    // the page's encoding, and keep a text with one wider character at two bytes each.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      safari10: false,
      compress: { inline: 1, passes: 3, sequences: false, unsafe: true, unsafe_arrows: true },
      mangle: { properties: { regex: new RegExp(`^(?:${ownNames.join('|')})$`) } },
      format: { ascii_only: true },
    },
    lib: { entry: scriptEntry, formats: ['iife'], name: 'PaywindowScript', fileName: () => 'paywindow.js' },
    rolldownOptions: { ...bundling, output: { ...compiledEarly, codeSplitting: false } },
  },
}
