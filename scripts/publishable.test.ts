import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './paths.ts'
import { missingAddresses } from './publishable.ts'

const repository = { type: 'git', url: 'git+https://github.com/lantern/paywindow.git' }
const form = 'url: https://github.com/lantern/paywindow/security/policy'

const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')

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

  it('asks in the workflow, too: npm does not where it publishes a tarball', () => {
    const [, pack = ''] = workflow.split(/^ {2}pack:/m)
    expect(pack.split(/^ {2}publish:/m)[0]).toContain('- run: npm run prepublishOnly\n')
  })

  it('gives a token to the step that publishes, and to nothing else', () => {
    const [before = '', step = ''] = workflow.split('uses: changesets/action/publish@')
    expect(before).not.toMatch(/secrets\.|NODE_AUTH_TOKEN:/)
    expect(step.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN'])
    expect(step).toContain("NPM_CONFIG_PROVENANCE: 'true'")
  })
})
