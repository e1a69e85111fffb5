import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { getReleaseLine, withHeadings } from './changelog.ts'
import { root } from './paths.ts'

it('makes one entry of a changeset, with its list below it', () => {
  expect(getReleaseLine({ summary: 'The card is new.\n\n- It is larger.\n- It is blue.\n' })).toBe(
    '- The card is new.\n  - It is larger.\n  - It is blue.',
  )
})

const written =
  '# Changes\n\n## 0.2.0\n\n### Minor Changes\n\n- a\n\n### Patch Changes\n\n- b\n\n## 0.1.0\n\n### Patch Changes\n'

it.each([
  ['0.2.0', written, ['### What may need a change in your shop', '### New and corrected', '### Patch Changes']],
  [
    '2.0.0',
    written.replace('0.2.0', '2.0.0').replace('Minor', 'Major'),
    ['### What may need a change in your shop', '### Corrected', '### Patch Changes'],
  ],
  ['2.1.0', written.replace('0.2.0', '2.1.0'), ['### New', '### Corrected', '### Patch Changes']],
])('has headings for people in the part about %s, and leaves the others', (version, changelog, headings) => {
  expect(withHeadings(changelog, version).match(/^### .*/gm)).toEqual(headings)
})

it('is what changesets takes, as its settings are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-changelog-'))
  const run = (command: string, ...args: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  }
  mkdirSync(join(folder, '.changeset'))
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(root, '.changeset', 'config.json'), join(folder, '.changeset', 'config.json'))
  cpSync(join(root, 'scripts', 'changelog.ts'), join(folder, 'scripts', 'changelog.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "paywindow", "version": "0.1.0", "type": "module" }\n')
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changes\n\n## 0.1.0\n\nThe first version.\n')
  writeFileSync(
    join(folder, '.changeset', 'a.md'),
    "---\n'paywindow': patch\n---\n\nThe card is new.\n\n- It is blue.\n",
  )
  run('git', 'init', '--quiet', '--initial-branch=main')
  run('git', 'add', '.')
  run('git', '-c', 'user.name=a', '-c', 'user.email=a@shop.example', 'commit', '--quiet', '--message=a')
  run(process.execPath, join(root, 'scripts', 'node_modules', '@changesets', 'cli', 'bin.js'), 'version')
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  rmSync(folder, { recursive: true })
  expect(withHeadings(changelog, '0.1.1')).toBe(
    '# Changes\n\n## 0.1.1\n\n### New and corrected\n\n- The card is new.\n  - It is blue.\n\n## 0.1.0\n\nThe first version.\n',
  )
})

it('is written from short lines of one sentence each', () => {
  const paths = globSync('.changeset/*.md', { cwd: root }).filter((path) => !path.endsWith('README.md'))
  const lines = paths.flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
  expect(lines.filter((line) => line.length > 160 || /[.!?;] \S/.test(line))).toEqual([])
})
