import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../server/store/sqlite.ts'
import { newestSqliteVersion } from '../server/store/sqlite-schema.ts'
import { makeFolder, setUp } from './world.testing.ts'

const commands = [['checkouts'], ['checkout', 'c-1'], ['bind', 'c-1', 'o-1'], ['retell', 'c-1'], ['reconcile']]

describe('the commands for checkouts, on a store of another version', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = makeFolder()
    file = join(folder, '.paywindow/paywindow.sqlite')
    await createSqliteStore(file).close()
  })

  const inFile = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const pragmas = (version: number, oldest: number) =>
    inFile((database) => database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${oldest}`))
  const schema = () =>
    inFile((database) => [
      database.prepare('PRAGMA user_version').get(),
      database.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all(),
    ])
  const run = (line: readonly string[]) => setUp().command(line, {}, undefined, folder)

  it.each(commands)('%s leaves older tables as they are, and says what to do', async (...line) => {
    inFile((database) => database.exec('DROP TABLE labels; PRAGMA user_version = 3; PRAGMA application_id = 0'))
    const before = schema()
    expect(await run(line)).toEqual({
      code: 2,
      stdout: '',
      stderr: `paywindow: .paywindow/paywindow.sqlite has version 3, and these commands need ${newestSqliteVersion}. Your servers bring it up to date when they start with this version; until then use the commands of their version.\n`,
    })
    expect(schema()).toEqual(before)
  })

  it('create no tables', async () => {
    inFile((database) => database.exec('DROP TABLE records; PRAGMA user_version = 0'))
    const before = schema()
    expect(await run(['checkouts'])).toMatchObject({
      code: 2,
      stderr: 'paywindow: .paywindow/paywindow.sqlite has no tables yet: start your server once.\n',
    })
    expect(schema()).toEqual(before)
  })

  it('use newer tables that allow it, and refuse others', async () => {
    pragmas(newestSqliteVersion + 1, newestSqliteVersion)
    expect(await run(['checkouts'])).toEqual({ code: 0, stdout: 'No checkouts.\n', stderr: '' })
    expect((await run(['doctor'])).stdout).toContain(
      `✓ Store: .paywindow/paywindow.sqlite opens and has version ${newestSqliteVersion + 1}, which this Paywindow may use.`,
    )
    pragmas(newestSqliteVersion + 1, newestSqliteVersion + 1)
    const before = schema()
    const words = `paywindow.sqlite has version ${newestSqliteVersion + 1}, and this Paywindow knows ${newestSqliteVersion}: upgrade the package here.`
    expect(await run(['checkouts'])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
    expect((await run(['doctor'])).stdout).toContain(words)
    expect(schema()).toEqual(before)
  })
})
