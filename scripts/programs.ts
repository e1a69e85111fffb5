/**
 * `node scripts/programs.ts redis|proxies|languages`: installs programs that tests need, with apt as
 * root. It names the tests that are skipped because a program is missing, and fails without a language.
 */
import { spawnSync } from 'node:child_process'
import { findPrograms, packages } from '../e2e/proxies/programs.ts'
import { findRedis, noRedisAdvice, redisPrograms } from '../e2e/stores/redis-server.ts'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

const [kind = 'none'] = process.argv.slice(2)
if (kind === 'redis') ensureRedis()
else if (kind === 'proxies') ensureProxies()
else if (kind === 'languages') ensureLanguages()
else throw new Error(`There are programs for redis, proxies and languages, not for ${kind}`)

function ensureRedis(): void {
  install(redisPrograms.filter((name) => !findRedis().includes(name)))
  const found = findRedis()
  console.log(
    found.length > 0
      ? `For the tests: ${found.join(', ')}`
      : `The tests of the Redis store are SKIPPED. ${noRedisAdvice}.`,
  )
}

function ensureProxies(): void {
  const missing = () => Object.entries(packages).filter(([program]) => !findPrograms().includes(program))
  install(missing().map(([, name]) => name))
  console.log(`For the tests: ${findPrograms().join(', ') || 'none'}`)
  for (const [program, name] of missing())
    console.log(`The tests behind ${program} are SKIPPED. Install it (Debian: apt-get install ${name}).`)
}

/** Somebody may have installed one by hand. */
function ensureLanguages(): void {
  const languages = [
    ['php', '--version', 'php-cli'],
    ['python3', '--version', 'python3'],
    ['ruby', '--version', 'ruby'],
    ['go', 'version', 'golang-go'],
  ] as const
  const missing = () => languages.filter(([program, flag]) => run(program, flag).status !== 0)
  install(missing().map(([, , name]) => name))
  for (const [program, , name] of missing()) {
    console.error(`There is no ${program}. Install it (Debian: apt-get install ${name}).`)
    process.exitCode = 1
  }
}

/** Installs packages, as far as this release of Debian has them. Needs root and apt. */
function install(names: readonly string[]): void {
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

function run(file: string, ...args: readonly string[]) {
  return spawnSync(file, args, { encoding: 'utf8', env })
}
