/** Backs up the SQLite file of a running shop, and restores it. */
import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createSqliteStore } from '../../../src/server/node.ts'
import { checkoutKind } from '../../../src/server/records/record-kinds.ts'
import type { CheckoutRecord } from '../../../src/server/records/types.ts'

/** Copies the file. Servers may write to it meanwhile. */
export function takeBackup(storePath: string, copyPath: string): void {
  const database = new DatabaseSync(storePath)
  database.exec('PRAGMA busy_timeout = 5000')
  database.prepare('VACUUM INTO ?').run(copyPath)
  database.close()
}

/** Replaces the file by the copy. No server may be running. */
export function restoreBackup(storePath: string, copyPath: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${storePath}${end}`, { force: true })
  copyFileSync(copyPath, storePath)
}

/** All checkouts of a store, by id. */
export async function checkoutsIn(storePath: string): Promise<ReadonlyMap<string, CheckoutRecord>> {
  const store = createSqliteStore(storePath)
  const records = await store.list('all', { limit: 1_000_000 })
  await store.close()
  return new Map(records.map(checkoutKind.parse).map((checkout) => [checkout.id, checkout]))
}
