/**
 * Sees to a Redis for the tests, and to a Valkey where Debian has one: installs them with apt as root. Where that cannot be done it says what
 * to do, and the tests of the Redis store are skipped.
 */
import { spawnSync } from 'node:child_process'
import { findRedis, noRedisAdvice, redisPrograms } from '../src/server/store/redis-server.testing.ts'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const run = (file: string, ...parts: string[]) => spawnSync(file, parts, { encoding: 'utf8', env })

/** Installs those that are missing, of which a release may have only one. */
function install(names: readonly string[]): void {
  console.log(`Missing: ${names.join(', ')}. Installing what Debian has of it with apt (about 2 MB each) …`)
  if (names.includes(redisPrograms[0] ?? '')) run('apt-get', 'update')
  for (const name of names) {
    if (run('apt-cache', 'show', name).status !== 0) {
      console.log(`apt knows no ${name} here.`)
      continue
    }
    const { status, stderr } = run('apt-get', 'install', '-y', '--no-install-recommends', name)
    if (status !== 0) console.error(stderr)
  }
}

const missing = redisPrograms.filter((name) => !findRedis().includes(name))
if (missing.length > 0 && process.getuid?.() === 0 && run('apt-get', '--version').status === 0) install(missing)
const found = findRedis()
console.log(
  found.length > 0
    ? `For the tests: ${found.join(', ')}`
    : `The tests of the Redis store are SKIPPED. ${noRedisAdvice}.`,
)
