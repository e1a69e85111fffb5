import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

it('every entry that has types has a report of them', () => {
  const typed = Object.values(packageJson.exports).flatMap((target) =>
    typeof target === 'object' && 'types' in target ? [basename(target.types.default, '.d.ts')] : [],
  )
  // A style sheet exports nothing.
  const entries = typed.filter((name) => !name.endsWith('.css'))
  expect(entries.length).toBeGreaterThan(12)
  expect(entries.filter((name) => !existsSync(new URL(`../docs/api/${name}.api.md`, import.meta.url)))).toEqual([])
})
