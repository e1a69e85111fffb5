/** Bundles the package into a shop's code that has React and TanStack Query already. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** The shop's code, minified. */
export interface ShopBundle {
  /** Code that loads with the page. */
  readonly first: string
  /** Code that payers load on demand; empty if there is none. */
  readonly later: string
  /** Code that payers load who choose a wallet; empty if there is none. */
  readonly wallets: string
  /** Code that is loaded on a developer's own machine alone; empty if there is none. */
  readonly notes: string
}

/** Words that only these parts have. */
const parts = [
  ['notes', 'Notes for the developer'],
  ['wallets', 'eth_sendTransaction'],
] as const

/** Bundles a shop's `source`. @param entry - File to which `source` is written. */
export async function bundleShop(source: string, entry: string): Promise<ShopBundle> {
  writeFileSync(entry, source)
  const [built] = (await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { paywindow: fileURLToPath(new URL('../dist/index.js', import.meta.url)) } },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        external: [/^react(\/|$)/, /^react-dom(\/|$)/, /^@tanstack\//],
        output: { minify: true, comments: false },
        checks: { moduleLevelDirective: false },
      },
    },
  })) as Rolldown.RolldownOutput[]
  const chunks = built?.output.filter((file) => file.type === 'chunk') ?? []
  const loadsLater = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports))
  const kindOf = ({ fileName, code }: Rolldown.OutputChunk) =>
    !loadsLater.has(fileName) ? 'first' : (parts.find(([, words]) => code.includes(words))?.[0] ?? 'later')
  const codeOf = (kind: keyof ShopBundle) =>
    chunks.flatMap((chunk) => (kindOf(chunk) === kind ? chunk.code : [])).join('\n')
  return { first: codeOf('first'), later: codeOf('later'), wallets: codeOf('wallets'), notes: codeOf('notes') }
}
