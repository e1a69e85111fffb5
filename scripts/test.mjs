/**
 * `npm test`: everything that CI does, from a fresh clone. With --no-browsers (`npm run check`) all but the browser tests.
 * Goes on after a failure where that makes sense, so that one run tells all; ends with `N passed, N failed`, in which every
 * unit and browser test counts, and every other check as one. What a machine or an engine cannot do is skipped, and said before.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, command, ensureInstalled, ownNode, root, run } from './setup.mjs'

const results = join(root, 'node_modules', '.cache', 'paywindow', 'results')
const packed = join(root, 'node_modules', '.cache', 'paywindow', 'paywindow.tgz')
const total = { passed: 0, failed: 0, skipped: 0 }

checkNode()
if (!(await ensureInstalled())) finish('npm ci')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

await check('format and lint', command('@biomejs/biome', 'bin/biome'), ['check', '--error-on-warnings', '.'])
await check('lock file', 'scripts/lock.ts')
await check('types', command('typescript', 'bin/tsc'), ['--noEmit'])
await check('unused files, exports and packages', command('knip', 'bin/knip.js'))
await check('versions, and public names since the last release', 'scripts/versions.ts')
// Where there is none the tests that need it are skipped, and say so.
await section('a Redis for the tests', 'scripts/redis.ts', [])
await vitest('unit tests', ['react', 'light'])
await check('server on the oldest Node', 'scripts/oldest-node.ts')
await vitest('chaos: the simulation, and rules broken on purpose', ['chaos'])
await vitest('crash: servers and databases that are killed', ['crash'])
if (!(await check('build, with the public names of docs/api', 'scripts/build.ts', ['--keep-reports']))) finish('build')
if (await check('pack', 'scripts/pack.ts', [packed])) {
  await check('package: publint', command('publint', 'src/cli.js'), ['--strict', packed])
  await check('package: are the types wrong', command('@arethetypeswrong/cli', 'dist/index.js'), [
    packed,
    '--exclude-entrypoints=paywindow.js',
  ])
  await vitest('package: in the projects of others', ['package'])
  await check('package: on the oldest Node', 'scripts/oldest-node.ts', [
    'e2e/package/require.test.ts',
    'e2e/package/oldest-node.test.ts',
  ])
}
await check('documentation: the site', 'scripts/site.ts')
await tests('examples in docstrings', 'scripts/examples.ts', vitestOutput('examples.json'), () =>
  countUnitTests(readResults('examples.json')),
)
await check('package: size', command('size-limit', 'bin.js'))
if (!process.argv.includes('--no-browsers') && (await check('browser', 'scripts/browsers.ts'))) {
  await tests('hosts: quick starts are followed, and paid in', 'e2e/hosts/run.ts', [], () =>
    countVisits(readResults('hosts.json') ?? []),
  )
  await section('proxies for the browser tests', 'scripts/proxies.ts', [])
  await tests(
    'browser tests',
    command('@playwright/test', 'cli.js'),
    ['test', '--config=e2e/playwright.config.ts'],
    () => countBrowserTests(readResults('browser.json')),
  )
}
finish()

/** Runs one check, which counts as one. */
async function check(name, script, args = []) {
  const passed = await section(name, script, args)
  total[passed ? 'passed' : 'failed'] += 1
  return passed
}

/** Runs projects of unit tests. */
async function vitest(name, projects) {
  const file = `${projects.join('-')}.json`
  const args = ['run', ...vitestOutput(file)]
  await tests(name, command('vitest', 'vitest.mjs'), [...args, ...projects.map((each) => `--project=${each}`)], () =>
    countUnitTests(readResults(file)),
  )
}

function vitestOutput(file) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(results, file)}`]
}

/** Runs tests that write down their results; without any they count as one failure. */
async function tests(name, script, args, count) {
  const passed = await section(name, script, args)
  const counted = count()
  total.passed += counted.passed
  total.skipped += counted.skipped
  total.failed += counted.failed === 0 && !passed ? 1 : counted.failed
}

async function section(name, script, args) {
  console.log(`\n== ${name}`)
  const startedAt = performance.now()
  const code = await run(ownNode, [script, ...args], {
    // Colours only where somebody sees them: in a log they are noise.
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), PAYWINDOW_TEST_RESULTS: results },
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`== ${name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  return code === 0
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(join(results, file), 'utf8'))
  } catch {
    // The tests did not get as far as writing them; their exit code tells.
    return undefined
  }
}

function countUnitTests(report) {
  const skipped = report?.numPendingTests ?? 0
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

/** Prints the sum and ends. `stoppedAt` is the step without which nothing further makes sense. */
function finish(stoppedAt) {
  if (stoppedAt !== undefined) console.error(`\n${stoppedAt} failed: the rest has not been run.`)
  const failed = stoppedAt === 'npm ci' ? 1 : total.failed
  if (total.skipped > 0)
    console.log(`\n${total.skipped} skipped, because this machine or an engine cannot do them: see above`)
  console.log(`\n${total.passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
