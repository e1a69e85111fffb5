/** The directive for Angular, from the package as it is packed, with Angular's own compiler. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { createProject } from './project.testing.ts'

const compiler = 'node_modules/@angular/compiler-cli/bundles/src/bin/ngc.js'

const project = createProject('module', [
  '@angular/core',
  '@angular/compiler',
  'rxjs',
  '@types/node',
  // Copied, so that it finds the TypeScript that it needs.
  ['@angular/compiler-cli', '@angular/compiler-cli'],
  ['typescript', 'typescript-6'],
  ...foundBy('node_modules/@angular/compiler-cli'),
])
afterAll(() => project.remove())

it('a template with all inputs and outputs compiles, without a schema for unknown elements', () => {
  expect(compiled('angular.ts')).toBe('')
})

it('a template with a mistake does not', () => {
  const complaints = compiled('angular-wrong.ts').matchAll(/^angular-wrong\.ts:(\d+):\d+ - error (\S+):/gm)
  expect([...complaints].map(([, line, code]) => `${line} ${code}`).sort()).toEqual([
    '10 NG8002',
    '11 TS2322',
    '12 TS2339',
    '13 TS2345',
    '8 NG8008',
    '9 TS2322',
  ])
})

it('the element has what the inputs say, and its events come out', () => {
  expect(JSON.parse(project.node('angular-directive.mjs').output)).toEqual({
    isSame: true,
    heard: ['paywindow:status', 'paywindow:confirmed', 'paywindow:error'],
    reference: 'cart-42',
    keepTitle: false,
  })
})

/** What Angular's compiler complains of. */
function compiled(file: string): string {
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'es2022', moduleResolution: 'bundler', strict: true, noEmit: true },
      angularCompilerOptions: { strictTemplates: true },
      files: [file],
    }),
  )
  return stripVTControlCharacters(project.node(compiler, '-p', '.').output)
}

/** What a package, and those in its own folder, which are copied with it, find at the top of node_modules. */
function foundBy(path: string): readonly string[] {
  const copied = Object.entries(lock.packages).filter(([each]) => each === path || each.startsWith(`${path}/`))
  const needed = copied.flatMap(([, each]) => ('dependencies' in each ? Object.keys(each.dependencies) : []))
  return [...new Set(needed)].filter((name) => `node_modules/${name}` in lock.packages)
}
