/** Starts a proxy, or another server, as a process of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { proxyEnv } from './programs.ts'
import type { Setup } from './setups.ts'

/** A program that listens on a port of this machine. Its end is no error: tests kill it. */
export interface Server {
  readonly port: number
  readonly ended: Promise<unknown>
  /** Stops it, by the process that was started. */
  stop(): Promise<void>
}

/** Starts one, which ends with the tests. @throws Error with its output if it does not start. */
export async function startServer(program: string, args: readonly string[], port: number): Promise<Server> {
  const child = spawn(program, args, { env: proxyEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000)
    })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${program} does not start here:\n${said}`)
    await setTimeout(20)
  }
  return {
    port,
    ended,
    stop: async () => {
      process.off('exit', kill)
      child.kill()
      await ended
    },
  }
}

/** A proxy that listens. */
export interface StartedProxy {
  readonly url: string
  /** Stops it, and removes its folder. */
  stop(): Promise<void>
}

/** Starts one in front of a port, in a folder of its own. @throws Error with its output if it does not start. */
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
  const server = await startServer(program, setup.parts(file, place), port)
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    stop: async () => {
      await server.stop()
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
