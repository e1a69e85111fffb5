/** Real Redis servers of the machine's programs, each with its own socket or port, and data. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { untilReady } from './server-process.ts'

/** A server that runs. */
export interface TestRedis {
  /** Path of the socket on which it listens. */
  readonly path: string
  /** Kills it, as a crash does, and starts it again on the same data. */
  restart(...settings: readonly string[]): Promise<void>
  /** Stops it, by the process that was started, and removes its data. */
  stop(): Promise<void>
}

/** Redis, and what speaks its language. */
export const redisPrograms: readonly string[] = ['redis-server', 'valkey-server']

/** Programs that this machine has. */
export function findRedis(): readonly string[] {
  return redisPrograms.filter((name) => spawnSync(name, ['--version'], { timeout: 20_000 }).status === 0)
}

/** What to do where there is none. */
export const noRedisAdvice =
  'Install redis-server or valkey-server (Debian: apt-get install redis-server, macOS: brew install redis)'

/** Writes to the disk before it replies, and makes no snapshots. */
const settingsOfTests = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']

/** Defines tests for each program of this machine. Without any, they are skipped with a note. */
export function describeRedis(name: string, define: (program: string) => void): void {
  const found = findRedis()
  if (found.length === 0) console.error(`No Redis here: its tests are SKIPPED. ${noRedisAdvice}.`)
  describe.skipIf(found.length === 0).each(found.length === 0 ? redisPrograms : found)(`${name} (%s)`, define)
}

/** Starts one. @throws Error with its output if it does not start. */
export async function startRedis(program: string, ...settings: readonly string[]): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-redis-'))
  const path = join(folder, 'socket')
  const place = ['--port', '0', '--unixsocket', path, '--dir', folder]
  const start = (more: readonly string[]) => {
    const server = spawn(program, [...place, ...settingsOfTests, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
    return untilReady(program, server, server.stdout, 'SIGKILL')
  }
  let end = await start(settings)
  return {
    path,
    restart: async (...others) => {
      await end('SIGKILL')
      end = await start([...settings, ...others])
    },
    stop: async () => {
      await end('SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}
