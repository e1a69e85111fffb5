/**
 * Takes the `@example` of every public name out of its docstring, as the last build has reported them, and writes them as tests into
 * dist/examples, where they import the built package by its name. Then type-checks and runs them. Fails for a name without an example.
 *
 * In an example all names of its entry are in scope, and `createSandbox`. `expression // => value` says what comes out.
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

/** Those that no entry before has had: several share their errors and types. */
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

/** With the declarations of dist, not those of the sources. */
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
