/** Templates of Vue, Svelte and Angular, right and wrong, with the compilers that shops use. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { compile } from 'svelte/compiler'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/paths.ts'
import { createProject, type Installed, type Project, withNeeded } from './project.testing.ts'

interface Framework {
  readonly name: string
  readonly packages: readonly Installed[]
  /** From the folder of the project. */
  readonly command: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly right: string
  readonly wrong: string
  /** How a complaint about the wrong file gives its line. */
  readonly line: RegExp
  /** Those with a mistake. */
  readonly lines: readonly number[]
}

const frameworks: readonly Framework[] = [
  {
    name: 'Angular',
    packages: ['@angular/core', '@angular/compiler', 'rxjs', ...withNeeded('@angular/compiler-cli')],
    command: ['node_modules/@angular/compiler-cli/bundles/src/bin/ngc.js', '-p', '.'],
    options: { angularCompilerOptions: { strictTemplates: true } },
    right: 'templates/right-angular.ts',
    wrong: 'templates/wrong-angular.ts',
    line: /^templates\/wrong-angular\.ts:(\d+):/gm,
    lines: [8, 9, 10, 11, 12, 13],
  },
  {
    name: 'Vue',
    packages: ['vue', ...withNeeded('vue-tsc')],
    command: ['node_modules/vue-tsc/bin/vue-tsc.js', '-p', '.', '--pretty', 'false'],
    options: { vueCompilerOptions: { strictTemplates: true } },
    right: 'templates/RightShop.vue',
    wrong: 'templates/WrongShop.vue',
    line: /^templates\/WrongShop\.vue\((\d+),/gm,
    lines: [8, 9, 10, 11, 12, 13],
  },
  {
    name: 'Svelte',
    packages: ['svelte', ...withNeeded('svelte-check')],
    command: ['node_modules/svelte-check/bin/svelte-check', '--tsconfig', 'tsconfig.json', '--output', 'machine'],
    right: 'templates/RightShop.svelte',
    wrong: 'templates/WrongShop.svelte',
    line: /ERROR "templates\/WrongShop\.svelte" (\d+):/gm,
    lines: [5, 6, 7, 8],
  },
]

it('Svelte warns of nothing in its quick start, where an event with a colon as an attribute would be one', () => {
  const app = readFileSync(join(root, 'examples/vite-svelte/src/App.svelte'), 'utf8')
  const warnings = (code: string) => compile(code, {}).warnings.map((warning) => warning.code)
  expect(warnings(app)).toEqual([])
  const withColon = app.replace('{@attach followed}', 'onpaywindow:confirmed={() => {}}')
  expect(warnings(withColon)).toEqual(['attribute_illegal_colon'])
})

describe.each(frameworks)('$name', ({ packages, command, options, right, wrong, line, lines }) => {
  const project = createProject('module', ['@types/node', ...packages])
  afterAll(() => project.remove())

  it('takes a template with attributes and events', () => {
    const { output, code } = checked(project, right)
    expect(code, output).toBe(0)
  })

  it('refuses each mistake', () => {
    const { output } = checked(project, wrong)
    const found = new Set([...output.matchAll(line)].map(([, number]) => Number(number)))
    expect(
      [...found].sort((one, other) => one - other),
      output,
    ).toEqual(lines)
  })

  function checked({ folder, node }: Project, file: string) {
    const compilerOptions = {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, ...options, files: [file] }))
    const { output, code } = node(...command)
    return { output: stripVTControlCharacters(output), code }
  }
})

describe('the directive of Angular', () => {
  const project = createProject('module', ['@angular/core', '@angular/compiler', 'rxjs'])
  afterAll(() => project.remove())

  it('gives the element what the inputs say, and hands on its events', () => {
    expect(JSON.parse(project.node('angular-directive.mjs').output)).toEqual({
      isSame: true,
      heard: ['paywindow:status', 'paywindow:confirmed', 'paywindow:error'],
      reference: 'cart-42',
      keepTitle: false,
    })
  })
})
