/** The repository keeps the promises of package.json. */
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

it('its oldest Node is the first that the workflow tests', () => {
  const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8')
  const [, first] = /^ +node: \['([\d.]+)'/m.exec(workflow) ?? []
  expect(packageJson.engines.node).toBe(`>=${first}`)
})

it('each of its entries with types has a report in docs/api', () => {
  const typed = Object.values(packageJson.exports).flatMap((target) =>
    typeof target === 'object' && 'types' in target ? [basename(target.types.default, '.d.ts')] : [],
  )
  // Style sheets have no names.
  const entries = typed.filter((name) => !name.endsWith('.css'))
  expect(entries.length).toBeGreaterThan(12)
  expect(entries.filter((name) => !existsSync(new URL(`../docs/api/${name}.api.md`, import.meta.url)))).toEqual([])
})
