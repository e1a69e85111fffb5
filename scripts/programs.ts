/**
 * `node scripts/programs.ts redis|proxies|languages|shops`: installs programs that tests need, with
 * apt as root. It names the tests that are skipped because a program is missing, and fails without
 * a language, or what shops in PHP run on.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { wordpress } from '../e2e/plugins/woocommerce/place.ts'
import { findPrograms, packages } from '../e2e/proxies/programs.ts'
import { findRedis, noRedisAdvice, redisPrograms } from '../e2e/stores/redis-server.ts'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

const [kind = 'none'] = process.argv.slice(2)
if (kind === 'redis') ensureRedis()
else if (kind === 'proxies') ensureProxies()
else if (kind === 'languages') ensureLanguages()
else if (kind === 'shops') ensureShops()
else throw new Error(`There are programs for redis, proxies, languages and shops, not for ${kind}`)

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
  demand([
    ['php-cli', 'php', '--version'],
    ['python3', 'python3', '--version'],
    ['ruby', 'ruby', '--version'],
    ['golang-go', 'go', 'version'],
  ])
}

/** WordPress is only unpacked: its package would bring a web server that starts by itself. */
function ensureShops(): void {
  demand([
    ['php-cli', 'php', '--version'],
    ['php-mysql', 'php', '-r', 'exit((int) !extension_loaded("mysqli"));'],
    ['mariadb-server', 'mariadbd', '--version'],
    ['unzip', 'unzip', '-v'],
  ])
  const isThere = () => existsSync(join(wordpress.folder, 'wp-load.php'))
  if (!isThere() && !wordpress.isGiven) {
    mkdirSync(wordpress.unpacked, { recursive: true })
    const unpack = 'apt-get download wordpress php-getid3 && for each in *.deb; do dpkg-deb -x "$each" .; done'
    const { status, stderr } = spawnSync('sh', ['-c', unpack], { cwd: wordpress.unpacked, encoding: 'utf8', env })
    if (status !== 0) console.error(stderr)
  }
  if (isThere()) return
  console.error(`There is no WordPress in ${wordpress.folder}. Set PAYWINDOW_WORDPRESS to a folder that has it.`)
  process.exitCode = 1
}

/** Installs packages whose programs are missing. Fails without one. */
function demand(programs: readonly (readonly [name: string, program: string, ...args: string[]])[]): void {
  const missing = () => programs.filter(([, program, ...args]) => run(program, ...args).status !== 0)
  install(missing().map(([name]) => name))
  for (const [name, program] of missing()) {
    console.error(`${program} is missing, or cannot do what is needed. Install it (Debian: apt-get install ${name}).`)
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
