/** Starts a proxy as a process of its own, in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { proxyEnv } from './programs.ts'
import type { Setup } from './setups.ts'

/** A proxy that listens. */
export interface StartedProxy {
  readonly url: string
  /** Stops it, by the process that was started, and removes its folder. */
  stop(): Promise<void>
}

/** Starts one in front of a port. @throws Error with its output if it does not start. */
export async function startProxy(setup: Setup, behind: number): Promise<StartedProxy> {
  const { program, port, protocol } = setup
  if (await isOpen(port)) throw new Error(`Port ${port} of 127.0.0.1 is in use. End what listens there.`)
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-proxy-'))
  // Programs of root go on as another user, who must get in.
  chmodSync(folder, 0o755)
  const place = { folder, port, behind }
  const file = join(folder, 'settings')
  writeFileSync(file, setup.settings(place))
  if (protocol === 'https') writeCertificate(folder)
  const child = spawn(program, setup.parts(file, place), { env: proxyEnv })
  const closed = once(child, 'close')
  // Also when the tests are ended.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${program} does not start here:\n${said}`)
    await setTimeout(20)
  }
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', kill)
      child.kill()
      await closed
      rmSync(folder, { recursive: true })
    },
  }
}

/** A certificate that nobody trusts, for an hour's test. */
export function writeCertificate(folder: string): void {
  const made = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '1'].concat([
      '-keyout',
      join(folder, 'key'),
      '-out',
      join(folder, 'certificate'),
    ]),
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`openssl makes no certificate here: ${made.stderr}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
}
