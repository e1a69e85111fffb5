import type { Plugin, UserConfig } from 'vite'
import { scriptEntry } from '../entries.ts'
import { leaner } from './leaner.ts'
import { bundling, filesOf, licensed, light, plainUrl, production, shared } from './shared.ts'
import { twoFiles } from './two-files.ts'

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
  'Attention',
  'bringIntoView',
  'build',
  'checkedAt',
  'checkedAtMs',
  'choices',
  'CopyDetails',
  'deadline',
  'delayMs',
  'Differences',
  'endsAtMs',
  'failedAtMs',
  'failures',
  'Growth',
  'handle',
  'handOver',
  'Hints',
  'isAsked',
  'isBusy',
  'isCart',
  'isDone',
  'isDrawn',
  'isDue',
  'isForgotten',
  'isPaid',
  'isQuote',
  'isStrong',
  'jitter',
  'LaterScreen',
  'minCorrectionLevel',
  'minVersion',
  'monotonicMs',
  'natives',
  'notBeforeMs',
  'onAsked',
  'onCopied',
  'onOpen',
  'onPick',
  'onTick',
  'opensWallet',
  'quicken',
  'seenAtMs',
  'sentAt',
  'shownAs',
  'shownForMs',
  'shownSinceMs',
  'speech',
  'takeOver',
  'takesFocus',
  'task',
  'timeLeftMs',
  'trouble',
  'unknownSinceMs',
  'untilMs',
  'viewed',
  'wallMs',
  'Withdrawal',
]

/** By name, the same in both files. */
const shortNames = new Map(ownNames.map((name, at) => [name, shortName(at)]))

/**
 * An option of Terser that its types do not have. Its `nameCache` would give variables of one file
 * the names of another.
 */
const sameNames = { cache: { props: Object.fromEntries([...shortNames].map(([name, short]) => [`$${name}`, short])) } }

/** Capital letters first, with which no field of the contract begins. */
function shortName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `_${(at - 26).toString(36)}`
}

/** The script tag: a file that shows the panel, and one with what follows. */
export const script: UserConfig = {
  define: { ...production, ...plainUrl },
  plugins: [leaner, shortVariables, filesOf('./', 'developer', 'wallet'), twoFiles(shortNames)],
  resolve: { ...light, conditions: ['apart', ...light.conditions] },
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
      mangle: { properties: { regex: new RegExp(`^(?:${ownNames.join('|')})$`), ...sameNames } },
      format: { ascii_only: true },
    },
    lib: { entry: scriptEntry, formats: ['es'], fileName: () => 'paywindow.js' },
    rolldownOptions: {
      ...bundling,
      preserveEntrySignatures: 'allow-extension',
      output: { chunkFileNames: 'paywindow-later.js' },
    },
  },
}
