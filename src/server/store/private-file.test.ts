import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-private-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  return folder
}

async function write(path: string): Promise<void> {
  const store = createSqliteStore(path)
  ends.push(() => store.close())
  await store.create({ key: 'a', value: 'secret', due: [], labels: [] })
}

const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const files = (path: string) => [path, `${path}-wal`, `${path}-shm`]

describe.skipIf(process.platform === 'win32')("the store's files", () => {
  it.each([0o000, 0o002, 0o022, 0o077, 0o177])(
    'can be read only by their owner, also under the umask %o',
    async (umask) => {
      const before = process.umask(umask)
      ends.push(() => process.umask(before))
      const path = join(temporary(), 'store.sqlite')
      await write(path)
      expect(files(path).map(rightsOf)).toEqual(['600', '600', '600'])
    },
  )

  it('are in a folder that only the owner can read, if they created it', async () => {
    const folder = temporary()
    await write(join(folder, 'deep', 'deeper', 'store.sqlite'))
    expect(['deep', 'deep/deeper'].map((each) => rightsOf(join(folder, each)))).toEqual(['700', '700'])
  })

  it('lose the permissions that an older version gave them and their folder, even while they are open', async () => {
    const folder = join(temporary(), '.paywindow')
    const path = join(folder, 'paywindow.sqlite')
    mkdirSync(folder)
    const older = new DatabaseSync(path)
    ends.push(() => older.close())
    older.exec('PRAGMA journal_mode = WAL; CREATE TABLE old (id INTEGER)')
    chmodSync(folder, 0o755)
    for (const file of files(path)) chmodSync(file, 0o644)
    await write(path)
    expect([folder, ...files(path)].map(rightsOf)).toEqual(['700', '600', '600', '600'])
    older.exec('INSERT INTO old VALUES (1)')
  })

  it("do not change a folder of the merchant's", async () => {
    const folder = temporary()
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'other'), '')
    await write(join(folder, 'store.sqlite'))
    expect(rightsOf(folder)).toBe('755')
  })

  it.each(['is there', 'is missing'])('are beside the file that a link leads to, which %s', async (state) => {
    const [path, link] = [join(temporary(), 'shared.sqlite'), join(temporary(), 'store.sqlite')]
    if (state === 'is there') await write(path)
    symlinkSync(path, link)
    await write(link)
    const store = createSqliteStore(path)
    ends.push(() => store.close())
    expect((await store.read('a'))?.value).toBe('secret')
    expect(files(path).map(rightsOf)).toEqual(['600', '600', '600'])
  })

  it('cause a clear error when they cannot be created', () => {
    const file = join(temporary(), 'file')
    writeFileSync(file, '')
    expect(() => createSqliteStore(join(file, 'store.sqlite'))).toThrow(/ENOTDIR|EEXIST/)
  })
})
