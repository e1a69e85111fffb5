/** What runs examples/languages in its language: calls of its functions, and its shop. */
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'

const here = import.meta.dirname
const examples = join(here, '../../examples/languages')

/**
 * What a call gave: a value, a refused event, what the shop has done wrong, or what no compiler
 * takes.
 */
export interface Result {
  readonly value?: unknown
  readonly invalid?: string
  readonly error?: string
  readonly type?: string
}

interface Language {
  /** The results of calls, which are JSON. */
  run(calls: string): string
  /** The program of the shop, and its arguments. It listens on `port`, or on PORT. */
  shop(port: number): readonly [program: string, ...args: string[]]
}

const folder = mkdtempSync(join(tmpdir(), 'paywindow-languages-'))

/** Removes what was compiled. */
export function removeCompiled(): void {
  rmSync(folder, { recursive: true })
}

const withInput = (program: string, ...args: string[]) => ({ run: (calls: string) => run(program, args, calls) })

/** By their names. */
export const languages: Readonly<Record<string, Language>> = {
  PHP: {
    // Whatever PHP wants to say about the code is no JSON.
    ...withInput('php', '-d', 'error_reporting=-1', '-d', 'display_errors=1', join(here, 'run.php')),
    shop: (port) => ['php', '-S', `localhost:${port}`, join(examples, 'shop.php')],
  },
  Python: {
    ...withInput('python3', '-B', '-W', 'error', join(here, 'run.py')),
    shop: () => ['python3', '-B', '-W', 'error', join(examples, 'shop.py')],
  },
  Ruby: {
    ...withInput('ruby', '-w', join(here, 'run.rb')),
    shop: () => ['ruby', '-w', join(here, 'serve.rb')],
  },
  Go: {
    run: (calls) => {
      const [input, output] = ['calls.json', 'results.json'].map((name) => join(folder, name)) as [string, string]
      writeFileSync(input, calls)
      go({ CALLS: input, RESULTS: output }, 'test', '-count=1', './paywindow')
      return readFileSync(output, 'utf8')
    },
    shop: () => [join(folder, 'a-shop')],
  },
}

/** A module as a shop has it, and its program. */
export function prepareGo(): void {
  mkdirSync(join(folder, 'paywindow'))
  writeFileSync(join(folder, 'go.mod'), 'module shop\n\ngo 1.19\n')
  cpSync(join(examples, 'shop.go'), join(folder, 'main.go'))
  cpSync(join(examples, 'paywindow.go'), join(folder, 'paywindow', 'paywindow.go'))
  cpSync(join(here, 'run_test.go'), join(folder, 'paywindow', 'run_test.go'))
  go({}, 'build', '-o', 'a-shop', '.')
}

/** What the tools of Go find wrong in the module. */
export function findWrongInGo(): string {
  return run('gofmt', ['-l', folder]) + go({}, 'vet', './...')
}

function go(more: Readonly<Record<string, string>>, ...args: string[]): string {
  // Another version of Go is not downloaded.
  return run('go', args, '', { ...more, GOTOOLCHAIN: 'local', GOPROXY: 'off' }, folder)
}

function run(program: string, args: string[], input = '', env: Readonly<Record<string, string>> = {}, cwd = here) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0 || stderr !== '') throw new Error(`${program}: ${stderr}${stdout}`, { cause: error })
  return stdout
}

const orderSecret = 'the secret of orders'

/** An order as the shops name it to its customer. */
export function signed(order: string): string {
  return `${order}.${createHmac('sha256', orderSecret).update(order).digest('base64url')}`
}

/** A shop that is running. */
export interface Shop {
  readonly url: string
  /** Ends it at once. Resolves when it has ended. */
  kill(): Promise<unknown>
}

/** Starts the shop of a language. Resolves when it listens. Rejects if it ends before. */
export async function startShop({ shop }: Language, env: Readonly<Record<string, string>>): Promise<Shop> {
  const port = await freePort()
  const [program, ...args] = shop(port)
  const child = spawn(program, args, {
    env: { ...process.env, ORDER_SECRET: orderSecret, ...env, PORT: `${port}` },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  const url = `http://localhost:${port}`
  const listening = vi.waitFor(() => fetch(url), { timeout: 20_000, interval: 20 })
  await Promise.race([listening, ended.then(([code]) => Promise.reject(new Error(`the shop has ended with ${code}`)))])
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  return { url, kill }
}
