/**
 * `npm run measure -- COMMIT [--tiers=test,money,all] [--write]`: measures the effort to begin work
 * at a commit. Clones it, runs `npm start` with an empty npm cache until the shop is open, and
 * counts packages, megabytes and words. `--tiers`: also runs these tests. `--write`: writes the
 * result into docs/maintainers/effort.json and effort.md.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './paths.ts'

/** A run of tests. `steps`: seconds by name. */
interface Run {
  readonly command: string
  readonly seconds: number
  readonly result: string
  readonly steps: Readonly<Record<string, number>>
}

/** The measures of a commit. */
interface Effort {
  readonly commit: string
  readonly measured: string
  readonly machine: string
  readonly startSeconds: number
  readonly packages: number
  readonly megabytes: number
  readonly words: Readonly<Record<string, number>>
  readonly runs: readonly Run[]
}

const commands: Readonly<Record<string, string>> = {
  test: 'npm test',
  money: 'npm run test:money',
  all: 'npm run test:all',
}
const kept = join(root, 'docs', 'maintainers', 'effort.json')

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tiers: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const effort = await measure(positionals[0] ?? 'HEAD')
console.log(JSON.stringify(effort, null, 2))
if (values.write) write(effort)

async function measure(name: string): Promise<Effort> {
  const commit = git(root, 'rev-parse', '--short', name)
  const place = mkdtempSync(join(tmpdir(), 'paywindow-effort-'))
  const clone = join(place, 'paywindow')
  try {
    git(root, 'clone', '--quiet', root, clone)
    git(clone, 'checkout', '--quiet', commit)
    const env = {
      ...process.env,
      PATH: machinePath(),
      NODE_OPTIONS: '',
      npm_config_cache: join(place, 'cache'),
    }
    const startSeconds = await secondsToTheShop(clone, env)
    const modules = globSync('{.,*,*/*}/node_modules/.package-lock.json', { cwd: clone })
    const counted = {
      packages: modules.reduce((sum, path) => sum + packagesIn(join(clone, path)), 0),
      megabytes: Math.round(modules.reduce((sum, path) => sum + kilobytesOf(join(clone, path, '..')), 0) / 1024),
    }
    const runs: Run[] = []
    for (const tier of values.tiers?.split(',') ?? []) {
      const command = commands[tier]
      if (command === undefined) throw new Error(`--tiers=${tier}: there are ${Object.keys(commands).join(', ')}`)
      runs.push(await runTier(command, clone, env))
    }
    return {
      commit,
      measured: new Date().toISOString().slice(0, 10),
      machine: `Node ${nodeOf(env)}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
      startSeconds,
      ...counted,
      words: Object.fromEntries(['README.md', 'CONTRIBUTING.md'].map((path) => [path, wordsIn(join(clone, path))])),
      runs,
    }
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** PATH without the repository's own Node. */
function machinePath(): string {
  const paths = (process.env.PATH ?? '').split(delimiter)
  return paths.filter((path) => !path.startsWith(root)).join(delimiter)
}

function nodeOf(env: NodeJS.ProcessEnv): string {
  return execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim().slice(1)
}

async function secondsToTheShop(clone: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const shop = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    await said(shop, /is open: /)
    return secondsSince(startedAt)
  } finally {
    // npm and the shop that it has started.
    if (shop.pid !== undefined && shop.exitCode === null) process.kill(-shop.pid, 'SIGTERM')
  }
}

function said(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (pattern.test(text)) resolve()
    })
    child.on('close', () => reject(new Error(`ended without saying ${pattern}:\n${text}`)))
  })
}

async function runTier(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Run> {
  console.error(`Running ${command} …`)
  const startedAt = performance.now()
  const [file = '', ...args] = command.split(' ')
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    process.stderr.write(chunk)
  })
  await new Promise((resolve) => child.on('close', resolve))
  return { command, seconds: secondsSince(startedAt), ...readRun(text) }
}

/** Reads the output of `scripts/test.mjs`. */
function readRun(text: string): Pick<Run, 'result' | 'steps'> {
  const steps = Object.fromEntries(
    [...text.matchAll(/^== (.+): (?:ok|FAILED), ([\d.]+) s$/gm)].map(([, name = '', seconds]) => [
      name,
      Number(seconds),
    ]),
  )
  const result = /^\d+ passed, \d+ failed/m.exec(text)?.[0] ?? 'no closing line'
  return { result, steps }
}

function write(effort: Effort): void {
  const before: readonly Effort[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  const all = [...before.filter(({ commit }) => commit !== effort.commit), effort]
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(kept.replace(/json$/, 'md'), page(all))
}

function page(all: readonly Effort[]): string {
  const row = (name: string, of: (effort: Effort) => string | number | undefined) =>
    `| ${name} | ${all.map((effort) => of(effort) ?? '').join(' | ')} |`
  const runOf = (effort: Effort, command: string) => effort.runs.find((run) => run.command === command)
  const minutes = (seconds: number | undefined) => seconds && (seconds / 60).toFixed(1)
  const names = Object.values(commands)
  const steps = new Set(
    names.flatMap((command) => all.flatMap((each) => Object.keys(runOf(each, command)?.steps ?? {}))),
  )
  const columns = all.flatMap((each) => each.runs.map((run) => ({ title: `${run.command}, ${each.commit}`, run })))
  return [
    '# What it takes to pick Paywindow up',
    '',
    '`npm run measure -- COMMIT --tiers=test --write` writes this page, from fresh clones with an empty npm cache.',
    '',
    `| | ${all.map(({ commit }) => `\`${commit}\``).join(' | ')} |`,
    `|---|${all.map(() => '--:|').join('')}`,
    row('measured on', ({ measured }) => measured),
    row('machine', ({ machine }) => machine),
    row('seconds from the clone to the open shop', ({ startSeconds }) => startSeconds),
    row('packages installed for that', ({ packages }) => packages),
    row('megabytes installed for that', ({ megabytes }) => megabytes),
    ...['README.md', 'CONTRIBUTING.md'].map((path) => row(`words of ${path}`, ({ words }) => words[path])),
    ...names
      .filter((command) => all.some((each) => runOf(each, command)))
      .flatMap((command) => [
        row(`minutes of \`${command}\``, (effort) => minutes(runOf(effort, command)?.seconds)),
        row('its closing line', (effort) => runOf(effort, command)?.result),
      ]),
    '',
    '## Seconds of each step',
    '',
    `| | ${columns.map(({ title }) => title).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...[...steps].map((step) => `| ${step} | ${columns.map(({ run }) => run.steps[step] ?? '').join(' | ')} |`),
    '',
  ].join('\n')
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}

function packagesIn(lock: string): number {
  return Object.keys(JSON.parse(readFileSync(lock, 'utf8')).packages).length
}

function kilobytesOf(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0])
}

function wordsIn(path: string): number {
  return readFileSync(path, 'utf8')
    .split(/\s+/)
    .filter((word) => word !== '').length
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10
}
