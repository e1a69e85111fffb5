/** What a CommonJS project gets from `require` is what others import. */
import { afterAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProject, type Project } from './project.testing.ts'

const react = ['react', 'react-dom', '@tanstack/react-query']
/** A shop on Express, Vue or Svelte. */
const shop = createProject('commonjs', [])
const reactShop = createProject('commonjs', react)
const measuredShop = createProject('commonjs', ['@opentelemetry/api'])
const shops: Readonly<Record<string, Project>> = { paywindow: reactShop, 'paywindow/opentelemetry': measuredShop }
afterAll(() => {
  for (const project of [shop, reactShop, measuredShop]) project.remove()
})

const entries = Object.entries(packageJson.exports).flatMap(([name, target]) =>
  typeof target === 'object' && 'require' in target ? [name.replace('.', 'paywindow')] : [],
)
/** It runs with Angular's compiler only: templates.test.ts tries it. */
const ofAngular = 'paywindow/element/angular'

it.each(entries.filter((name) => name !== ofAngular))('%s is the same module for both', (name) => {
  const script = `import('${name}').then((module) => console.log(require('${name}') === module, Object.keys(module).length))`
  const { output, code } = (shops[name] ?? shop).node('-e', script)
  expect({ output, code }).toEqual({ output: expect.stringMatching(/^true \d+$/), code: 0 })
  expect(output === 'true 0').toBe(/element\/(define|react|vue|svelte)$/.test(name))
})

it('installs nothing of React for those who do not have it, and no second copy for those who do', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = packageJson
  expect(Object.keys(peerDependencies)).toEqual(expect.arrayContaining(react))
  expect(Object.keys(peerDependencies).filter((name) => name in dependencies)).toEqual([])
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(Object.keys(peerDependencies).map((name) => [name, { optional: true }])),
  )
})
