import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './paths.ts'
import { missingAddresses } from './publishable.ts'

const repository = { type: 'git', url: 'git+https://github.com/lantern/paywindow.git' }
const form = 'url: https://github.com/lantern/paywindow/security/policy'

describe('publishing', () => {
  it.each([
    ['an address', repository],
    ['the short form', 'github:lantern/paywindow'],
  ])('goes ahead with %s', (_, given) => {
    expect(missingAddresses(JSON.stringify({ repository: given }), form)).toEqual([])
  })

  it.each([
    ['none', undefined],
    ['an empty one', { type: 'git' }],
    ['a placeholder', 'github:OWNER/REPOSITORY'],
  ])('stops where the repository is %s', (_, given) => {
    expect(missingAddresses(JSON.stringify({ repository: given }), form)).toEqual([
      expect.stringMatching(/^package\.json names no repository.*npm pkg set repository/),
    ])
  })

  it('stops where the form for issues has the placeholder', () => {
    expect(
      missingAddresses(JSON.stringify({ repository }), form.replace('lantern/paywindow', 'OWNER/REPOSITORY')),
    ).toEqual([expect.stringContaining('.github/ISSUE_TEMPLATE/config.yml still says OWNER/REPOSITORY')])
  })

  it('asks, as npm does before it publishes', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(scripts.prepublishOnly).toBe('node scripts/run.mjs scripts/publishable.ts')
  })
})
