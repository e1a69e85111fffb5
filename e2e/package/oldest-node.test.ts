/** The packed command and server, also on the oldest Node (scripts/oldest-node.ts). */
import { afterAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProject } from './project.testing.ts'

const project = createProject('commonjs', [])
afterAll(project.remove)
const command = (...args: readonly string[]) => project.node('node_modules/paywindow/dist/cli.js', ...args)

it('lists what it can do', () => {
  const { output, code } = command('--help')
  expect(code, output).toBe(0)
  for (const name of ['sandbox', 'trigger', 'doctor', 'check', 'reconcile']) expect(output).toContain(name)
})

it('says its version', () => {
  expect(command('--version')).toEqual({ output: packageJson.version, code: 0 })
})

it('is beside a server that keeps its records in SQLite, and is paid', () => {
  expect(project.node('paid.mjs')).toEqual({ output: 'confirmed, told: cart-42 paid', code: 0 })
})
