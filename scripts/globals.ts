/**
 * `declare global` is how an entry tells TypeScript of a tag it registers. Bundling the declarations drops it, and with it the
 * imports that only it needs; this finds both again in the sources that an entry reaches.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typedEntries } from './entries.ts'
import { readModule, resolveOwn } from './modules.ts'
import { root } from './paths.ts'

/**
 * What is to be added to the declarations of an entry; empty when it declares nothing for all.
 *
 * @throws Error when a type in it is exported by no entry, so that nobody could import it.
 */
export function globalsOf(entrySource: string): string {
  const blocks = reachedFrom(entrySource).flatMap(({ path, text }) =>
    (text.match(/^declare global \{\n(?:[ \t].*\n|\n)*\}$/gm) ?? []).map((block) => ({ block, path, text })),
  )
  const imports = blocks.flatMap(({ block, path, text }) =>
    readModule(path, text)
      .imports.flatMap(({ names }) => (names === 'all' ? [] : names))
      .filter((name) => new RegExp(`\\b${name}\\b`).test(block))
      .map((name) => `import type { ${name} } from './${entryThatExports(name, path)}.js'`),
  )
  return [...imports, ...blocks.map(({ block }) => block)].join('\n')
}

function reachedFrom(entrySource: string): { path: string; text: string }[] {
  const texts = new Map([[entrySource, read(entrySource)]])
  // Entries added while iterating over a Map are visited too.
  for (const [path, text] of texts) {
    for (const { specifier, isType } of readModule(path, text).imports) {
      const target = resolveOwn(path, specifier)
      if (target !== undefined && !isType && /\.tsx?$/.test(target))
        texts.set(target, texts.get(target) ?? read(target))
    }
  }
  return [...texts].map(([path, text]) => ({ path, text }))
}

function entryThatExports(name: string, path: string): string {
  const entry = Object.entries(typedEntries).find(([, source]) =>
    readModule(source, read(source)).exports.includes(name),
  )
  if (entry === undefined) throw new Error(`${path} declares a global with ${name}, which no entry exports`)
  return entry[0]
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
