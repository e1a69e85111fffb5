/** Licences of the libraries that a bundle has in it, which have to go with every copy. */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

/** What Vite writes of a library that is in a bundle. */
interface License {
  readonly name: string
  readonly version: string
  readonly text?: string
}

/**
 * Joins what the builds have written (`licensed` in scripts/targets/shared.ts), and takes it away. What was copied into the sources without
 * being a library has its licence beside it.
 *
 * @returns the text of the file to go with the package. @throws Error for a library that has no licence file.
 */
export function joinLicenses(dist: string): string {
  const files = globSync('licenses-*.json', { cwd: dist }).map((name) => join(dist, name))
  if (files.length === 0) throw new Error('no build has said which libraries are in it')
  const libraries = new Map(
    files
      .flatMap((file): License[] => JSON.parse(readFileSync(file, 'utf8')))
      .map((license) => [`${license.name} ${license.version}`, textOf(license)]),
  )
  for (const file of files) rmSync(file)
  const copied = globSync('src/**/LICENSE', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const texts = [...[...libraries].sort().map(([library, text]) => `${library}\n\n${text.trim()}\n`), ...copied]
  return `Paywindow's files contain these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function textOf({ name, text }: License): string {
  if (!text)
    throw new Error(`${name} is bundled and has no licence file: add its licence, or leave it out of the bundle`)
  return text
}
