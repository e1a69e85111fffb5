/** What is in the package beside code and types. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { exampleNames, startPage } from '../hosts/examples.ts'
import { createProject } from './project.testing.ts'

const project = createProject('module', [])
afterAll(project.remove)
const read = (path: string) => readFileSync(join(project.installed, path), 'utf8')

it('everything that its documents link to, but pages for those who work on it', () => {
  const documents = globSync('**/*.md', { cwd: project.installed })
  expect(documents.length).toBeGreaterThan(70)
  const missing = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !isForMaintainers(path, link))
      .filter((link) => !existsSync(join(project.installed, dirname(path), link)))
      .map((link) => `${path}: ${link}`),
  )
  expect(missing).toEqual([])
})

/** Files that only the repository needs are not packed. */
function isForMaintainers(path: string, link: string): boolean {
  return path === 'CONTRIBUTING.md' && link.startsWith('docs/maintainers/')
}

it('nothing that is only for those who work on it', () => {
  expect(globSync('docs/maintainers/**', { cwd: project.installed })).toEqual([])
  expect(globSync('docs/decisions/*.md', { cwd: project.installed }).length).toBeGreaterThan(20)
})

it('everything that the skill for coding agents names', () => {
  const skill = read('docs/skills/paywindow/SKILL.md')
  const named = [...skill.matchAll(/`((?:docs|examples|dist)\/[\w./*-]*|README\.md)`/g)].map(([, path = '']) => path)
  const quickStarts = [...skill.matchAll(/`([\w-]+\.md)`/g)].map(([, name]) => `docs/start/${name}`)
  const paths = [...named, ...quickStarts.filter((path) => path !== 'docs/start/README.md')]
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => globSync(path, { cwd: project.installed }).length === 0)).toEqual([])
  expect(exampleNames.filter((name) => !skill.includes(`\`${name}.md\``))).toEqual([])
})

it('a map of every file of code, with its sources, and no path of the machine that built it', () => {
  const files = globSync('dist/{*,chunks/*}.js', { cwd: project.installed })
  // Shorter ones only pass on what others have, and the directive has no other source.
  const coded = files.filter((file) => read(file).length > 1000 && !file.endsWith('element-angular.js'))
  expect(coded.length).toBeGreaterThan(10)
  for (const file of coded) {
    const map = JSON.parse(read(`${file}.map`))
    expect(map.sources.length, file).toBe(map.sourcesContent.length)
    expect(
      map.sources.filter((source: string) => !source.startsWith('../')),
      file,
    ).toEqual([])
    expect(map.sourcesContent.every((text: unknown) => typeof text === 'string')).toBe(true)
  }
})

it.each(exampleNames)('the quick start of %s has the files of the example', (name) => {
  expect(read(`docs/start/${name}.md`)).toBe(startPage(name))
})

it.each(['payments.js', 'page.html'])('one %s for all examples that have it', (name) => {
  const copies = globSync(`examples/*/${name}`, { cwd: project.installed })
  expect(copies.length).toBeGreaterThan(3)
  expect(new Set(copies.map(read)).size).toBe(1)
})

it('the script does not name its map, and no payer loads a byte for it', () => {
  expect(read('dist/paywindow.js')).not.toContain('sourceMappingURL')
  expect(JSON.parse(read('dist/paywindow.js.map')).mappings).toMatch(/\w/)
})
