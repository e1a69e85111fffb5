/** For tests: runs commands on a sandbox, and collects their output. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { run } from './program.ts'
import type { World } from './world.ts'

/** Runs commands on one sandbox. `environment` sets variables; undefined removes a variable. */
export function setUp(sandbox: Sandbox = createSandbox()) {
  const { baseUrl, accessToken, subAccountId } = sandbox.access
  const complete = {
    PAYWINDOW_SERVICE_URL: baseUrl,
    PAYWINDOW_ACCESS_TOKEN: accessToken,
    PAYWINDOW_SUB_ACCOUNT_ID: subAccountId,
  }
  const command = async (
    line: readonly string[],
    environment: Readonly<Record<string, string | undefined>> = {},
    answer: typeof fetch = sandbox.fetch,
    folder = process.cwd(),
  ) => {
    const printed = { stdout: '', stderr: '' }
    const code = await run(line, {
      env: { ...complete, ...environment },
      stdout: (text) => (printed.stdout += text),
      stderr: (text) => (printed.stderr += text),
      fetch: answer,
      folder,
      stop: AbortSignal.abort(),
    })
    return { code, ...printed }
  }
  return { sandbox, command }
}

/** Makes a folder for commands of the running test, which is deleted after it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a command, with the machine's network. It runs until `end`, or the end of the test. */
export function start(...line: readonly string[]) {
  return startIn((world) => run(line, world))
}

/** Starts the work of a command, which runs until `end`, or the end of the test. */
export function startIn(work: (world: World) => Promise<number>) {
  const stop = new AbortController()
  const printed = { stdout: '', stderr: '' }
  const readers = new Set<() => void>()
  const done = work({
    env: {},
    stdout: (text) => {
      printed.stdout += text
      for (const read of readers) read()
    },
    stderr: (text) => (printed.stderr += text),
    fetch,
    folder: '/',
    stop: stop.signal,
  })
  const end = () => {
    stop.abort()
    return done
  }
  onTestFinished(async () => void (await end()))
  return {
    done,
    end,
    stderr: () => printed.stderr,
    /** Resolves when the command has printed the pattern; rejects if it ends without. */
    said: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const read = () => {
          const match = pattern.exec(printed.stdout)
          if (!match) return
          readers.delete(read)
          resolve(match)
        }
        readers.add(read)
        read()
        void done.then(() => reject(new Error(`Ended without ${pattern}: ${printed.stdout}${printed.stderr}`)))
      }),
  }
}
