/** The script in two files: a classic script, and a module that it loads later. */
import { createHash } from 'node:crypto'
import { type Plugin, parseSync, type Rolldown } from 'vite'
import { type Edit, edited } from './shared.ts'

/** Lets browsers compile the whole file while it loads, off the main thread. */
const compiledEarly = '//# allFunctionsCalledOnLoad\n'

/**
 * No module can import from a classic script. So the second file is a function of what it takes
 * from the first one, and returns its exports. Its name is that of this build: files of two builds
 * never run together.
 *
 * @param shortNames - Of the exports, by name.
 */
export const twoFiles = (shortNames: ReadonlyMap<string, string>): Plugin => ({
  name: 'a script in two files',
  // Terser keeps these in modules, for the bundlers of others.
  renderChunk: (code) => code.replaceAll('/* @__PURE__ */ ', ''),
  generateBundle(_, bundle) {
    const [first, second] = ['paywindow.js', 'paywindow-later.js'].map((name) => bundle[name])
    if (first?.type !== 'chunk' || second?.type !== 'chunk') throw new Error('the script has other files than two')
    const build = `of${createHash('sha256').update(first.code).update(second.code).digest('hex').slice(0, 8)}`
    const given = giveFrom(first, second.fileName, build)
    takeIn(second, build, given, shortNames)
  },
})

/** Returns the names that its exports had, in the order in which it gives them. */
function giveFrom(first: Rolldown.OutputChunk, secondFile: string, build: string): readonly string[] {
  const { staticExports, dynamicImports } = parseSync(first.fileName, first.code).module
  const entries = staticExports.flatMap((each) => each.entries)
  const load = dynamicImports.find(({ start, end }) => first.code.slice(start, end).includes(secondFile))
  if (load === undefined) throw new Error(`${first.fileName} does not load ${secondFile}`)
  const given = entries.map(({ localName }) => localName.name)
  // A file that did not come, or came from a cache that has another build's, is asked for again at
  // an address of this build alone.
  const file = `import("./${secondFile}"+query).finally(()=>query="?${build}")`
  // Once, as with a module: components are the same however often they are loaded.
  const text = `${file}.then(file=>made??=file.${build}([${given}]))`
  rewrite(first, `${compiledEarly}(()=>{let made,query="";`, '})()', [
    ...staticExports.map(without),
    { start: load.start, end: load.end, text },
  ])
  return entries.map(({ exportName }) => exportName.name ?? '')
}

function takeIn(
  second: Rolldown.OutputChunk,
  build: string,
  given: readonly string[],
  shortNames: ReadonlyMap<string, string>,
): void {
  const { staticImports, staticExports } = parseSync(second.fileName, second.code).module
  const taken = new Map(
    staticImports.flatMap(({ entries }) =>
      entries.map(({ importName, localName }) => [importName.name, localName.value]),
    ),
  )
  const returned = staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName, localName }) => `${shortNames.get(exportName.name ?? '')}:${localName.name}`),
  )
  const parameters = given.map((name) => taken.get(name) ?? '')
  rewrite(second, `export const ${build}=([${parameters}])=>{`, `return{${returned}}}`, [
    ...staticImports.map(without),
    ...staticExports.map(without),
  ])
}

function without({ start, end }: Omit<Edit, 'text'>): Edit {
  return { start, end, text: '' }
}

/** What comes before has lines of its own, so that the map of the others stays right. */
function rewrite(chunk: Rolldown.OutputChunk, before: string, after: string, edits: readonly Edit[]): void {
  chunk.code = `${before}\n${edited(chunk.code, edits).replace(/;?\s*$/, ';')}${after}\n`
  if (chunk.map) chunk.map.mappings = `${';'.repeat(before.split('\n').length)}${chunk.map.mappings}`
}
