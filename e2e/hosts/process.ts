/** A program that serves something until it is ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that has said what was waited for. */
export interface Program {
  /** All that it has written so far. */
  readonly output: () => string
  stop(): Promise<void>
}

/** Starts Node in a folder. Resolves when its output matches. @throws Error with the output when it ends before, or says nothing for 20 s. */
export async function startProgram(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isUp: RegExp,
): Promise<Program> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } })
  let output = ''
  const up = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (isUp.test(output)) resolve()
      })
  })
  const failed = once(child, 'exit', { signal: AbortSignal.timeout(20_000) }).then(
    () => Promise.reject(new Error(`${args.join(' ')} ended: ${output}`)),
    () => Promise.reject(new Error(`${args.join(' ')} did not start: ${output}`)),
  )
  try {
    await Promise.race([up, failed])
  } catch (error) {
    child.kill()
    throw error
  }
  failed.catch(() => undefined)
  return { output: () => output, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
