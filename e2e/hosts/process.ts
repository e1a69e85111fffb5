/** A command that runs until it is ended. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that has said what was waited for. */
export interface Program {
  /** All that it has written so far. */
  readonly output: () => string
  stop(): Promise<void>
}

/** Runs a command in a folder. Resolves when its output matches. @throws Error with the output when it ends before, or says nothing for 20 s. */
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
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0))
    await closed
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
