/** Compilers of three generations accept the packed package, however imports are resolved. */
import { afterAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Compiler, createProject, oldestReact } from './project.testing.ts'

const packages = [
  '@types/node',
  '@types/react',
  '@opentelemetry/api',
  '@tanstack/react-query',
  'react',
  'svelte',
  'vue',
]
const esm = createProject('module', packages)
const commonJs = createProject('commonjs', packages)
const olderReact = createProject('module', [
  ...oldestReact,
  ['@types/react', 'react-18-types'],
  '@types/node',
  '@types/prop-types',
  'csstype',
])
afterAll(() => {
  for (const project of [esm, commonJs, olderReact]) project.remove()
})

const react = { jsx: 'react-jsx' }
const bundler = { ...react, module: 'esnext', moduleResolution: 'bundler' }
const nodenext = { ...react, module: 'nodenext' }
const node16 = { ...react, module: 'node16' }
const files = ['server.ts', 'shop.tsx', 'element.ts']

describe.each<Compiler>(['TypeScript 5.4', 'TypeScript 6', 'TypeScript 7'])('%s', (compiler) => {
  it.each([
    ['with a bundler', esm, bundler],
    ['with nodenext, in a project of modules', esm, nodenext],
    ['with nodenext, in a CommonJS project', commonJs, nodenext],
    ['with node16, in a CommonJS project', commonJs, node16],
  ])('compiles a shop %s', (_, project, options) => {
    const required = options === bundler ? [] : ['required.cts']
    expect(project.compile(compiler, options, [...files, ...required])).toBe('')
  })
})

it('an older CommonJS project, whose compiler knows no exports, finds every entry', () => {
  const options = { ...react, module: 'commonjs', moduleResolution: 'node10' }
  expect(commonJs.compile('TypeScript 5.4', options, [...files, 'required.cts'])).toBe('')
})

it.each<Compiler>(['TypeScript 5.4', 'TypeScript 7'])(
  'compiles a shop with the types of React 18, with %s',
  (compiler) => {
    expect(olderReact.compile(compiler, bundler, ['shop.tsx', 'element.ts'])).toBe('')
  },
)

it('such a compiler is told of the same types as one that reads exports', () => {
  const expected = Object.entries(packageJson.exports).flatMap(([name, target]) =>
    name !== '.' && typeof target === 'object' ? [[name.slice(2), [target.types.default]]] : [],
  )
  expect(packageJson.typesVersions['*']).toMatchObject(Object.fromEntries(expected))
})

it.each<Compiler>(['TypeScript 6', 'TypeScript 7'])(
  'the templates of Vue and Svelte know the element, with %s',
  (compiler) => {
    // The declarations of the frameworks are theirs to check.
    expect(esm.compile(compiler, { ...bundler, skipLibCheck: true }, ['templates.ts'])).toBe('')
  },
)

it('what is wrong is not let through because the package has no types', () => {
  expect(esm.compile('TypeScript 7', bundler, ['wrong.ts'])).toMatch(/^wrong\.ts\(\d+,\d+\): error TS2561: .*'ofer'/)
})
