/** The oldest peers that package.json admits. */
import { afterAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProject, oldestReact } from './project.testing.ts'

const project = createProject('module', [...oldestReact, 'jsdom'])
afterAll(project.remove)

it('are those of the project', () => {
  const { react, 'react-dom': dom, '@tanstack/react-query': query } = packageJson.peerDependencies
  const oldest = ['react', 'react-dom', '@tanstack/react-query'].map(
    (name) => project.node('-p', `require('./node_modules/${name}/package.json').version`).output,
  )
  expect([react, dom, query].map((range) => /[\d.]+/.exec(range)?.[0])).toEqual(oldest)
})

it('show the payment up to its end', () => {
  expect(project.node('rendered.mjs')).toEqual({
    output: expect.stringMatching(/^18\.0\.0\S* address, paid$/),
    code: 0,
  })
})
