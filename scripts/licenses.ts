/** Licences of the libraries that a bundle has in it, which have to go with every copy. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.ts'

/**
 * @param modules - Paths of the modules in all bundles.
 * @returns the text of the file to go with them. @throws Error for a library that has no licence file.
 */
export function licensesOf(modules: Iterable<string>): string {
  const names = new Set<string>()
  const taken = new Set<string>()
  for (const module of modules) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
    if (name) names.add(name)
    // What was taken from others without being a library has its licence beside it.
    else if (existsSync(join(dirname(module), 'LICENSE'))) taken.add(join(dirname(module), 'LICENSE'))
  }
  const texts = [
    ...[...names].sort().map((name) => `${name}\n\n${licenseOf(name).trim()}\n`),
    ...[...taken].sort().map((file) => `${readFileSync(file, 'utf8').trim()}\n`),
  ]
  return `Paywindow's files contain these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function licenseOf(name: string): string {
  const folder = join(root, 'node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (!file)
    throw new Error(`${name} is bundled and has no licence file: add its licence, or leave it out of the bundle`)
  return readFileSync(join(folder, file), 'utf8')
}
