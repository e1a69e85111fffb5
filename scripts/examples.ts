/**
 * Type-checks and runs the `@example` of every public name, as tests in dist/examples that import
 * the built package. Fails for a name without an example. An example can use all names of its entry
 * and `createSandbox`. `expression // => value` is an assertion.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { typedEntries } from './entries.ts'
import { root } from './paths.ts'
import { isTypeOnly, type Member, membersOf } from './public-names.ts'

const folder = join(root, 'dist', 'examples')

const missing: string[] = []
const taken = new Set<string>()

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [specifier, target] of Object.entries(packageJson.exports)) {
  const entry = Object.keys(typedEntries).find(
    (name) => typeof target === 'object' && target.default === `./dist/${name}.js`,
  )
  if (entry !== undefined) writeTests(entry, specifier.replace(/^\./, 'paywindow'))
}
if (missing.length > 0) {
  console.error(`These public names have no @example in their docstrings: ${missing.join(', ')}.`)
  process.exit(1)
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerOptions()))
run('scripts/node_modules/typescript/bin/tsc', ['-p', join(folder, 'tsconfig.json')])
run('node_modules/vitest/vitest.mjs', ['run', '--project=examples', ...process.argv.slice(2)])
rmSync(folder, { recursive: true })

/** Writes the tests of names that no entry before has: entries share errors and types. */
function writeTests(entry: string, specifier: string): void {
  const members = membersOf(entry)
  const fresh = members.filter(({ name, docComment }) => !taken.has(`${name} ${docComment}`))
  for (const { name, docComment } of fresh) taken.add(`${name} ${docComment}`)
  const tests = fresh.map((member) => testOf(entry, member))
  if (tests.length > 0)
    writeFileSync(join(folder, `${entry}.test.tsx`), `${importsOf(entry, specifier, members)}\n${tests.join('\n')}`)
}

function importsOf(entry: string, specifier: string, members: readonly Member[]): string {
  const names = members.map((member) => (isTypeOnly(member) ? `type ${member.name}` : member.name))
  const isBrowser = /^(index|element)/.test(entry)
  return [
    ...(isBrowser ? ['// @vitest-environment jsdom'] : []),
    `import { expect, it } from 'vitest'`,
    `import { ${names.join(', ')} } from '${specifier}'`,
    ...(members.some(({ name }) => name === 'createSandbox')
      ? []
      : [`import { createSandbox } from 'paywindow/sandbox'`]),
    '',
  ].join('\n')
}

function testOf(entry: string, { name, docComment }: Member): string {
  const text = docComment.replace(/^\s*\/?\*+\/? ?/gm, '')
  const code = /@example\s+```tsx?\n([\s\S]*?)```/.exec(text)?.[1]
  if (code === undefined) {
    missing.push(`${name} (${entry})`)
    return ''
  }
  const body = code.replace(/^(.*?);? \/\/ => (.*)$/gm, 'expect($1).toEqual($2)')
  return `it('${name}', async () => {\n${body}})\n`
}

/** Without `paths`, so that types come from dist and not from the sources. */
function compilerOptions() {
  return {
    extends: '../../tsconfig.json',
    compilerOptions: { paths: {}, noUnusedLocals: false },
    include: ['*.tsx'],
  }
}

function run(script: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
