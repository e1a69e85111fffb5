/** A command that runs until it is ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const endsWithinMs = 10_000

/** A program that has said what was waited for. */
export interface Program {
  /** All that it has written so far. */
  readonly output: () => string
  /** @throws Error where it does not end within ten seconds. */
  stop(): Promise<void>
}

/**
 * Runs a command in a folder. Resolves when its output matches.
 *
 * @throws Error with the output if it ends before, or says nothing for 20 s.
 */
export async function startProgram(
  folder: string,
  command: string,
  env: Readonly<Record<string, string>>,
  isUp: RegExp,
): Promise<Program> {
  // A group of its own: npm does not pass on the signal that ends it.
  const child = spawn(command, { cwd: folder, env: { ...process.env, ...env }, shell: true, detached: true })
  const closed = once(child, 'close')
  let output = ''
  const up = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (isUp.test(output)) resolve()
      })
  })
  const stop = async () => {
    signalAll(child, 'SIGTERM')
    let isForced = false
    const timer = setTimeout(() => {
      isForced = true
      signalAll(child, 'SIGKILL')
    }, endsWithinMs)
    await closed
    clearTimeout(timer)
    if (isForced) throw new Error(`${command} did not end when it was told to: ${output}`)
  }
  const failed = once(child, 'exit', { signal: AbortSignal.timeout(20_000) }).then(
    () => Promise.reject(new Error(`${command} ended: ${output}`)),
    () => Promise.reject(new Error(`${command} did not start: ${output}`)),
  )
  try {
    await Promise.race([up, failed])
  } catch (error) {
    await stop()
    throw error
  }
  failed.catch(() => undefined)
  return { output: () => output, stop }
}

/** Sends a signal to a command and to all that it has started. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(pid ?? 0), signal)
  } catch (error) {
    // All have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
