import type { Plugin, UserConfig } from 'vite'
import { scriptEntry } from '../entries.ts'
import { bundling, licensed, light, production, shared } from './shared.ts'

/** Lets browsers compile all of it while it loads, off the main thread, and not piece by piece before the panel stands. */
const compiledEarly = { postBanner: '//# allFunctionsCalledOnLoad' }

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

/**
 * Fields of objects that never leave the script: they get names of a letter or two, as variables do. `e2e/bundles.spec.ts` holds that no
 * answer, option, event or language has a field of such a name.
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

/** What a developer's own browser loads beside the script: a classic script imports relative to its own address. */
const besideIt: Plugin = {
  name: 'notes for developers beside the script',
  enforce: 'pre',
  resolveId: (id) => (id === '#developer' ? { id: './paywindow-developer.js', external: true } : null),
}

/** The script tag: everything in one file, but for what no payer loads. */
export const script: UserConfig = {
  define: production,
  plugins: [shortVariables, besideIt],
  resolve: light,
  build: {
    ...shared,
    // Beside it, and not named in it: the line would be bytes for every payer.
    sourcemap: 'hidden',
    ...licensed('script'),
    // Smaller by 0.3 KiB than by Vite's own minifier. ASCII, because a classic script is read in the encoding of its page, and
    // because a browser keeps a text with one wider character at two bytes each.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      safari10: false,
      compress: { inline: 1, passes: 3, sequences: false, unsafe_arrows: true },
      mangle: { properties: { regex: new RegExp(`^(?:${ownNames.join('|')})$`) } },
      format: { ascii_only: true },
    },
    lib: { entry: scriptEntry, formats: ['iife'], name: 'PaywindowScript', fileName: () => 'paywindow.js' },
    rolldownOptions: { ...bundling, output: { ...compiledEarly, codeSplitting: false } },
  },
}
