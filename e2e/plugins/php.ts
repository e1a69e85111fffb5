/** PHP's server, a MariaDB, and HTTPS in front, for the shops of these tests. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { type Server, startServer, writeCertificate } from '../proxies/start.ts'
import type { Settings } from './payments.ts'

/** Runs a program to its end. @throws Error with what it says, unless it ends with 0. */
export function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`, { cause: error })
  return stdout
}

/** PHP's own server: one process, which answers one request after the other. */
export function startPhp(folder: string, port: number): Promise<Server> {
  // A test may change a file between two requests.
  const settings = ['display_errors=0', 'memory_limit=512M', 'max_execution_time=60', 'opcache.revalidate_freq=0']
  return startServer(
    'php',
    [...settings.flatMap((each) => ['-d', each]), '-S', `127.0.0.1:${port}`, '-t', folder],
    port,
  )
}

/** A database of its own, whose root has no password. */
export interface Database {
  readonly port: number
  stop(): Promise<void>
}

export async function startMariaDb(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-mariadb-'))
  const as = process.getuid?.() === 0 ? ['--user=root'] : []
  const data = `--datadir=${join(folder, 'data')}`
  run('mariadb-install-db', [
    '--no-defaults',
    ...as,
    data,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  const port = await freePort()
  const socket = `--socket=${join(folder, 'socket')}`
  const own = [...as, data, socket, `--port=${port}`, '--bind-address=127.0.0.1', '--innodb-flush-log-at-trx-commit=2']
  const server = await startServer('mariadbd', ['--no-defaults', ...own], port)
  run('mariadb', ['--no-defaults', '-uroot', socket], 'CREATE DATABASE shop CHARACTER SET utf8mb4')
  return {
    port,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** HTTPS in front of a shop, as a proxy does it. Return addresses have to be https. */
export async function startHttps(behind: number): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-https-'))
  writeCertificate(folder)
  const [key, cert] = [readFileSync(join(folder, 'key')), readFileSync(join(folder, 'certificate'))]
  rmSync(folder, { recursive: true })
  const port = await freePort()
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const passed = { ...headers, 'x-forwarded-proto': 'https' }
    const asked = request({ host: '127.0.0.1', port: behind, method, path, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(asked)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const ended = once(server, 'close')
  return {
    port,
    ended,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await ended
    },
  }
}

/** Unpacks the file that an admin page takes, as plugins/pack.mjs writes it. */
export function unpackPlugin(zip: string, folder: string): void {
  const packed = mkdtempSync(join(tmpdir(), 'paywindow-zip-'))
  run(process.execPath, [join(import.meta.dirname, '../../plugins/pack.mjs'), packed])
  mkdirSync(folder, { recursive: true })
  run('unzip', ['-q', join(packed, zip), '-d', folder])
  rmSync(packed, { recursive: true })
}

/** What a shop is installed with. */
export interface Place {
  readonly databasePort: number
  /** The address for payers. */
  readonly url: string
  readonly payments: Settings
}
