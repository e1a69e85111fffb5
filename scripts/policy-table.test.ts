import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { policy } from '../src/server/core/policy.ts'
import { root } from './paths.ts'
import { policyPage } from './policy-table.ts'

const isSource = (path: string) => !/\.(test|testing)\.ts$/.test(path)
const sources = new Map(
  globSync('src/server/**/*.ts', { cwd: root })
    .filter(isSource)
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
/**
 * Rooms at the edge keep the limits of sockets, files and databases beside the code that meets
 * them.
 */
const edges = /^src\/server\/(http|icons|health|store|observing|core)\//

describe('the policy', () => {
  it('is the page of the maintainers', () => {
    expect(readFileSync(join(root, 'docs/maintainers/policy.md'), 'utf8')).toBe(policyPage())
  })

  it('has no number that nobody uses', () => {
    const all = [...sources.values()].join('\n')
    const names = Object.entries(policy).flatMap(([section, numbers]) =>
      Object.keys(numbers).map((name) => ({ section, name })),
    )
    const isUsed = ({ section, name }: { section: string; name: string }) =>
      all.includes(`policy.${section}.${name}`) ||
      new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} = policy\\.${section}\\b`).test(all)
    expect(names.filter((each) => !isUsed(each))).toEqual([])
  })

  it('has every time that decides', () => {
    const beside = [...sources].flatMap(([path, text]) =>
      edges.test(path)
        ? []
        : [...text.matchAll(/^(?:export )?const ((?!minuteMs)\w+Ms)\b.* = .*\d/gm)].map(
            ([, name]) => `${path}: ${name}`,
          ),
    )
    expect(beside).toEqual([])
  })
})
