/**
 * `npm test`, `npm run test:money` and `npm run test:all`: the tiers of CONTRIBUTING.md. Continues
 * after a failure if later checks can still run. Ends with `N passed, N failed`, which counts every
 * unit and browser test, and each other check as one. Tests that the machine or an engine cannot
 * run are skipped and named. `--built`: does not pack again.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { command, ensureInstalled, env, node, root, run } from './setup.mjs'

const tiers = {
  test: [],
  money: ['e2e/stores'],
  all: ['scripts/oldest-node', 'e2e/stores', 'e2e/package', 'e2e', 'plugins/vendure', 'plugins/medusa', 'docs'],
}
const given = process.argv.slice(2)
const isBuilt = given.includes('--built')
const [tier = 'test'] = given.filter((each) => each !== '--built')
if (!(tier in tiers)) throw new Error(`${tier} is none of ${Object.keys(tiers).join(', ')}`)
const cache = join(root, 'node_modules', '.cache', 'paywindow')
const results = join(cache, 'results')
const packed = join(cache, 'paywindow.tgz')
const total = { passed: 0, failed: 0, skipped: 0 }
/** Steps that failed, with the names of their tests. */
const failures = []
const isIn = (...names) => names.includes(tier)

await ensureInstalled('scripts', ...tiers[tier])
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
if (isIn('money', 'all')) env.PAYWINDOW_TESTS = 'all'

if (isIn('test', 'all')) {
  await check('format and lint', command('scripts', '@biomejs/biome', 'bin/biome'), [
    'check',
    '--error-on-warnings',
    '.',
  ])
  await check('lock files', 'scripts/lock-files.ts')
  await types('.')
  await check('unused files, exports and packages', command('scripts', 'knip', 'bin/knip.js'))
  await check('versions, and public names since the last release', 'scripts/versions.ts')
}
if (isIn('money')) await types('e2e/stores')
if (isIn('all')) await types('e2e')
await vitest('unit tests', ['shared', 'alone', 'react', 'light'])
if (isIn('test')) await vitest('simulation: a short run', ['chaos'], ['e2e/chaos/short.test.ts'])
if (isIn('money', 'all')) {
  // Without it its tests are skipped, and say so.
  await section('a Redis for the tests', 'scripts/programs.ts', ['redis'])
  await vitest('databases', ['stores'])
  await vitest('simulation: all stores, and rules broken on purpose', ['chaos'])
  await vitest('crashes of servers and databases', ['crash'])
}
if (isIn('all')) {
  await vitest('wallets and telemetry', ['surroundings'])
  await check('server on the oldest Node', 'scripts/oldest-node.ts')
}
if (isIn('test', 'all')) await builtPackage()
finish()

/** Builds and packs once, and runs everything that needs the result. */
async function builtPackage() {
  if (!(await check('build, with the public names of docs/api', 'scripts/build.ts', ['--keep-reports'])))
    finish('build')
  if (isBuilt || (await check('pack', 'scripts/pack.ts', [packed]))) await packageTests()
  await tests('examples in docstrings', 'scripts/examples.ts', vitestOutput('examples.json'), () =>
    countUnitTests(readResults('examples.json')),
  )
  await check('size', command('scripts', 'size-limit', 'bin.js'), [], { cwd: join(root, 'scripts') })
  await check('the oldest browsers', 'scripts/oldest-browsers.ts')
  if (isIn('all')) await check('documentation: the site', 'docs/.vitepress/site.ts')
  if (!(await check('a browser and fonts', 'scripts/browsers.ts', isIn('all') ? ['--all-fonts'] : []))) return
  if (isIn('all')) await surroundings()
  await browserTests()
}

async function packageTests() {
  if (isIn('test')) {
    const smokes = ['contents', 'require', 'oldest-node'].map((name) => `e2e/package/${name}.test.ts`)
    await vitest('package: what it contains, is required as, and sells', ['package'], smokes)
    return
  }
  await check('package: publint', command('e2e/package', 'publint', 'src/cli.js'), ['--strict', packed])
  await check('package: are the types wrong', command('e2e/package', '@arethetypeswrong/cli', 'dist/index.js'), [
    packed,
    '--exclude-entrypoints=paywindow.js',
  ])
  await vitest('package: in the projects of others', ['package'])
  await check('package: on the oldest Node', 'scripts/oldest-node.ts', [
    'e2e/package/require.test.ts',
    'e2e/package/oldest-node.test.ts',
  ])
}

async function surroundings() {
  await tests('hosts: quick starts are followed, and paid in', 'e2e/hosts/run.ts', [], () =>
    countVisits(readResults('hosts.json') ?? []),
  )
  if (await check('PHP, Python, Ruby and Go', 'scripts/programs.ts', ['languages']))
    await vitest('shops in PHP, Python, Ruby and Go: links, events, every outcome', ['languages'])
  const shops = (...names) => names.map((name) => `e2e/plugins/${name}.test.ts`)
  await vitest(
    'plug-ins for shops on Node: every outcome, and a browser that pays',
    ['plugins'],
    shops('vendure', 'medusa'),
  )
  if (await check('PHP, MariaDB and WordPress', 'scripts/programs.ts', ['shops']))
    await vitest(
      'plug-ins for shops in PHP: every outcome, and a browser that pays',
      ['plugins'],
      shops('woocommerce', 'opencart'),
    )
  await section('proxies for the browser tests', 'scripts/programs.ts', ['proxies'])
  await check('Lighthouse', 'e2e/lighthouse.ts')
}

async function browserTests() {
  const args = [
    'test',
    '--config=e2e/playwright.config.ts',
    ...(isIn('test') ? ['--project=chromium', '--grep=@core'] : []),
  ]
  await tests('browser tests', command('.', '@playwright/test', 'cli.js'), args, () =>
    countBrowserTests(readResults('browser.json')),
  )
}

/** Checks the types of the sources, and of the files that the part's tsconfig.json adds. */
function types(part) {
  return check(`types in ${part}`, command('scripts', 'typescript', 'bin/tsc'), ['--noEmit', '--project', part])
}

/** Runs a check, which counts as one. */
async function check(name, script, args = [], options = {}) {
  const passed = await section(name, script, args, options)
  total[passed ? 'passed' : 'failed'] += 1
  return passed
}

/** Runs projects of unit tests, or files of these projects. */
async function vitest(name, projects, files = []) {
  const file = `${projects[0]}.json`
  const args = ['run', ...files, ...vitestOutput(file), ...projects.map((each) => `--project=${each}`)]
  await tests(name, command('.', 'vitest', 'vitest.mjs'), args, () => countUnitTests(readResults(file)))
}

function vitestOutput(file) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(results, file)}`]
}

/** Runs tests that write their results into a file. Without results they count as one failure. */
async function tests(name, script, args, count) {
  const passed = await section(name, script, args)
  const counted = count()
  total.passed += counted.passed
  total.skipped += counted.skipped
  total.failed += counted.failed === 0 && !passed ? 1 : counted.failed
}

async function section(name, script, args = [], options = {}) {
  console.log(`\n== ${name}`)
  const startedAt = performance.now()
  const code = await run(node, [script, ...args], {
    // No colours in logs.
    env: { ...env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), PAYWINDOW_TEST_RESULTS: results },
    ...options,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`== ${name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  if (code !== 0) failures.push(name)
  return code === 0
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(join(results, file), 'utf8'))
  } catch {
    // The tests ended before they wrote results. Their exit code shows the failure.
    return undefined
  }
}

function countUnitTests(report) {
  const skipped = report?.numPendingTests ?? 0
  for (const { assertionResults } of report?.testResults ?? [])
    for (const { status, fullName } of assertionResults) if (status === 'failed') failures.push(`  ${fullName}`)
  return { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, skipped }
}

function countBrowserTests(report) {
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {}
  return { passed: expected + flaky, failed: unexpected, skipped }
}

function countVisits(visits) {
  const count = (pattern) => visits.filter(({ outcome }) => pattern.test(outcome)).length
  return { passed: count(/^paid/), failed: count(/^FAILED/), skipped: count(/^skipped/) }
}

/** Prints the totals and ends. `stoppedAt`: the failed step that all further steps need. */
function finish(stoppedAt) {
  // Also here, because who keeps only the end of a log has to know them.
  for (const each of failures) console.error(`FAILED: ${each}`)
  if (stoppedAt !== undefined) console.error(`\n${stoppedAt} failed: the rest has not been run.`)
  if (total.skipped > 0)
    console.log(`\n${total.skipped} skipped, because this machine or an engine cannot do them: see above`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exit(total.failed === 0 ? 0 : 1)
}
