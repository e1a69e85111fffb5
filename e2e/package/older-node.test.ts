/** What a Node without SQLite says. Node 24 can be told to be one. */
import { afterAll, expect, it } from 'vitest'
import { createProject } from './project.testing.ts'

const project = createProject('commonjs', [])
afterAll(project.remove)

const without = '--no-experimental-sqlite'
const reason = /needs Node 22\.13 or later, because it keeps its records in SQLite/

it.each(['import', 'require'])('%s of the server says in one error which Node is needed', (way) => {
  const script = `(async () => ${way}('paywindow/server/node'))().catch(({ message }) => console.log(message))`
  expect(project.node(without, '-e', script)).toEqual({ output: expect.stringMatching(reason), code: 0 })
})

it.each(['server', 'server/node', 'server/postgres'])(
  'so does require of %s where Node cannot require modules',
  (entry) => {
    const script = `try { require('paywindow/${entry}') } catch ({ message }) { console.log(message) }`
    expect(project.node('--no-experimental-require-module', '-e', script)).toEqual({
      output: expect.stringMatching(/needs Node 22\.13 or later\. This is Node v/),
      code: 0,
    })
  },
)

it('a command says it in one line', () => {
  const { output, code } = project.node(without, 'node_modules/paywindow/dist/cli.js', 'doctor')
  expect(output).toMatch(reason)
  expect(output).toMatch(/^paywindow: .*$/)
  expect(code).toBe(1)
})

it('what keeps no records in SQLite works all the same', () => {
  const script = `import('paywindow/server').then(({ createMemoryStore }) => console.log(typeof createMemoryStore()))`
  expect(project.node(without, '-e', script)).toEqual({ output: 'object', code: 0 })
})
