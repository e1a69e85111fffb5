/** Programs that tests start. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/paths.ts'

/** Compiles a plug-in, as the project of a shop does. @throws Error with what the compiler complains of. */
export function compile(plugin: 'vendure' | 'medusa'): void {
  const compiler = join(root, 'scripts', 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', join(root, 'plugins', plugin)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`plugins/${plugin} does not compile:\n${stdout}`)
}

/** Waits for a line of a program. @throws Error with all lines once it ends. */
export async function said(program: ChildProcess, pattern: RegExp): Promise<string> {
  if (!program.stdout) throw new Error('the program has no output')
  const lines: string[] = []
  for await (const line of createInterface(program.stdout)) {
    lines.push(line)
    if (pattern.test(line)) {
      // Whoever reads no more must not stop it.
      program.stdout.resume()
      return line
    }
  }
  throw new Error(`The program ended:\n${lines.join('\n')}`)
}
