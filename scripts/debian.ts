/** Programs of Debian that tests need: installed with apt, by root, where they are missing. */
import { spawnSync } from 'node:child_process'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const run = (file: string, ...parts: string[]) => spawnSync(file, parts, { encoding: 'utf8', env })

/** Installs packages, of which a release may not have all. Does nothing without them, without apt, or for anybody but root. */
export function installFromDebian(names: readonly string[]): void {
  if (names.length === 0 || process.getuid?.() !== 0 || run('apt-get', '--version').status !== 0) return
  console.log(`Missing: ${names.join(', ')}. Installing what Debian has of it with apt …`)
  run('apt-get', 'update')
  for (const name of names) {
    if (run('apt-cache', 'show', name).status !== 0) {
      console.log(`apt knows no ${name} here.`)
      continue
    }
    const { status, stderr } = run('apt-get', 'install', '-y', '--no-install-recommends', name)
    if (status !== 0) console.error(stderr)
  }
}
