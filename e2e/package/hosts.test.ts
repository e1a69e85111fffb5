import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { whatIsTested } from '../hosts/hosts-page.ts'
import { hostNames, waysTo } from '../hosts/plan.ts'

it('docs/hosts.md has each visit that a run makes, and each was paid', () => {
  const page = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8')
  const [, , ...rows] = page.split('\n').filter((line) => line.startsWith('| '))
  const written = rows.map((row) => {
    const [host = '', , engine = '', tested, result] = row.slice(2, -2).split(' | ')
    return [host.replace(/^\[(.+)\]\(.*$/, '$1'), engine.split(' ')[0], tested, result]
  })
  const planned = ['Chromium', 'Firefox', 'WebKitGTK'].flatMap((engine) =>
    hostNames.flatMap((name) =>
      waysTo(name, engine.toLowerCase()).map((way) => [name, engine, whatIsTested(name, way), 'paid']),
    ),
  )
  expect(written).toEqual(planned)
})
