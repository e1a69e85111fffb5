/**
 * What CommonJS projects `require` of an entry: a file that hands out the entry's own module, as Node can since 22.12, and
 * declarations that say the same. So there is one copy of the code, whoever loads it how.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTypeOnly, type Member, membersOf } from './public-names.ts'

/** Writes `<entry>.cjs` and `<entry>.d.cts`, from the names that the last build has reported. */
export function writeCommonJs(dist: string, entry: string): void {
  writeFileSync(join(dist, `${entry}.cjs`), entry.startsWith('server') ? guarded(entry) : requiring(entry))
  writeFileSync(join(dist, `${entry}.d.cts`), declarationsOf(entry))
}

/** Every type in them is taken from the entry's own: a copy of a class with private fields would be another class. */
function declarationsOf(entry: string): string {
  const from = `'./${entry}.js' with { 'resolution-mode': 'import' }`
  const members = membersOf(entry)
  const types = members.filter(isTypeOnly).map(({ name }) => name)
  const values = members.filter((member) => !isTypeOnly(member))
  return [
    // Also where nothing of it is named: what an entry declares for all has to be known.
    `import type * as entry from ${from}`,
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}`] : []),
    ...values.map(declarationOf),
    'export {}',
    '',
  ].join('\n')
}

function declarationOf({ kind, name, docComment }: Member): string {
  const value = `${docComment}export declare const ${name}: typeof entry.${name}`
  return kind === 'Class' ? `${value}\nexport type ${name} = entry.${name}` : value
}

function requiring(entry: string): string {
  return `module.exports = require('./${entry}.js')\n`
}

/** A Node that cannot require a module is too old for the server, but advises to `import` it. */
function guarded(entry: string): string {
  return `try {
  ${requiring(entry).trimEnd()}
} catch (error) {
  if (error.code !== 'ERR_REQUIRE_ESM') throw error
  throw new Error(\`Paywindow's server needs Node 22.13 or later. This is Node \${process.version}. See https://nodejs.org/\`, { cause: error })
}
`
}
