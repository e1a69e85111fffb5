/** What quick starts promise somebody who has the package as it was packed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleNames, instructionsOf } from '../hosts/examples.ts'
import { createProject } from './project.testing.ts'

const project = createProject('module', [])
afterAll(project.remove)
const read = (path: string) => readFileSync(join(project.installed, path), 'utf8')

describe.each(exampleNames)('the quick start of %s', (name) => {
  const page = read(`docs/start/${name}.md`)

  it('begins with the copy of a folder that is in the package, up to the payment', () => {
    const { commands, paying } = instructionsOf(page, 'copied')
    const [first, second, copy = '', ...rest] = commands
    expect([first, second, rest[1]]).toEqual(['npm init -y', 'npm install paywindow', 'npm install'])
    // A shop keeps its payments there, with their keys.
    expect(rest[0]).toMatch(/^printf '.*\.paywindow\/.*' > \.gitignore$/)
    const [, from = ''] = /^cp -r node_modules\/paywindow\/(\S+)\/\. \.$/.exec(copy) ?? []
    expect(existsSync(join(project.installed, from, 'payments.js'))).toBe(true)
    expect(paying).toHaveLength(3)
  })

  it('has the same files and commands for those who write it', () => {
    const { files, commands } = instructionsOf(page, 'written')
    const different = files.filter(({ path, text }) => text.trim() !== read(`examples/${name}/${path}`).trim())
    expect(different).toEqual([])
    expect(files.length).toBeGreaterThan(3)
    expect(commands).toEqual(instructionsOf(page, 'copied').commands.slice(3))
  })

  it('closes for a shop that is there what it opens', () => {
    const [, section = ''] = page.split(/^## In a shop that you have$/m)
    const [toAdd = ''] = section.split(/^## /m)
    const blocks = [...toAdd.matchAll(/^```(?:html|astro|svelte|vue)\n(.*?)\n```$/gms)].map(([, code = '']) => code)
    for (const code of blocks)
      for (const name of ['style', 'script']) {
        const count = (tag: RegExp) => code.match(tag)?.length ?? 0
        expect(count(new RegExp(`<${name}\\b`, 'g')), code).toBe(count(new RegExp(`</${name}>`, 'g')))
      }
    const styles = blocks.filter((code) => code.includes('@keyframes'))
    expect(styles.filter((code) => !code.includes('<style'))).toEqual([])
  })

  it('names for a shop that is there all lines that take something from the package, or from payments.js', () => {
    const [, section = ''] = page.split(/^## In a shop that you have$/m)
    const [toAdd = ''] = section.split(/^## /m)
    const { files } = instructionsOf(page, 'written')
    const lines = files
      .filter(({ path }) => !['package.json', 'payments.js'].includes(path))
      .flatMap(({ text }) =>
        text.split('\n').filter((line) => /['"](paywindow\b|[./]+\/payments\.js)|<pay-?window/i.test(line)),
      )
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter((line) => !toAdd.includes(line.trim()))).toEqual([])
    // What a line calls comes with it, and with the package that it is from.
    const calls = [...toAdd.matchAll(/^(?!import|\/\/).*\b(sirv|fileURLToPath|serveStatic|randomBytes|ref|on)\(/gm)]
    expect(
      calls.map(([, call = '']) => call).filter((call) => !new RegExp(`^import .*\\b${call}\\b`, 'm').test(toAdd)),
    ).toEqual([])
    if (toAdd.includes("from 'sirv'")) expect(toAdd).toMatch(/npm install paywindow .*\bsirv\b/)
  })
})
