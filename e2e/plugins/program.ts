/** Programs that tests start. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../../scripts/paths.ts'

/**
 * Compiles a plug-in, as the project of a shop does. @throws Error with what the compiler complains
 * of.
 */
export function compile(plugin: 'vendure' | 'medusa'): void {
  const compiler = join(root, 'scripts', 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', join(root, 'plugins', plugin)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`plugins/${plugin} does not compile:\n${stdout}`)
}

/**
 * Resolves once a program has ended well. Meanwhile this process reads what a database says, which
 * would otherwise stop. @throws Error with all that it has said.
 */
export function finished(program: ChildProcess): Promise<void> {
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise((resolve, reject) => {
    program.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The program ended:\n${output}`))))
  })
}

/** Ends a program, if it runs. */
export async function end(program: ChildProcess | undefined, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!program || program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill(signal)
  await ended
}

/**
 * Resolves once a program has said something. @throws Error with all that it has said once it ends.
 */
export function said(program: ChildProcess, pattern: RegExp): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [program.stdout, program.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (pattern.test(output)) resolve()
      })
    program.once('exit', () => reject(new Error(`The program ended:\n${output}`)))
  })
}
