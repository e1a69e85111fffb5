/** What a CommonJS project gets from `require` is what others import. */
import { afterAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProject } from './project.testing.ts'

const project = createProject('commonjs', ['react', 'react-dom', '@opentelemetry/api'])
afterAll(project.remove)

const entries = Object.entries(packageJson.exports).flatMap(([name, target]) =>
  typeof target === 'object' && 'require' in target ? [name.replace('.', 'paywindow')] : [],
)

it.each(entries)('%s is the same module for both', (name) => {
  const script = `import('${name}').then((module) => console.log(require('${name}') === module, Object.keys(module).length))`
  const { output, code } = project.node('-e', script)
  expect({ output, code }).toEqual({ output: expect.stringMatching(/^true \d+$/), code: 0 })
  expect(output === 'true 0').toBe(name === 'paywindow/element/define')
})
