/** One oldest Node everywhere: what is promised is what is tried. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

it('is the first that the workflow runs everything with', () => {
  const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8')
  const [, first] = /^ +node: \['([\d.]+)'/m.exec(workflow) ?? []
  expect(packageJson.engines.node).toBe(`>=${first}`)
})
