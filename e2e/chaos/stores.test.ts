/** A short simulation in each database. The same seed gives the same run in all of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type StoreKind, startStore, storeKinds, whyMissing } from '../stores/start-store.ts'
import { runSegments } from './workers.ts'
import type { Report } from './world/findings.ts'
import { planSegment } from './world/plan.ts'

const plan = { ...planSegment(11, 0, 20), restores: true }

const inSqlite = runOn('sqlite')

for (const kind of storeKinds)
  it.skipIf(whyMissing(kind) !== undefined)(
    `on ${kind} a short run breaks no rule, and goes as in a file`,
    async () => {
      const { violations, hash } = kind === 'sqlite' ? await inSqlite : await runOn(kind)
      expect(violations).toEqual([])
      expect(hash).toBe((await inSqlite).hash)
    },
    300_000,
  )

async function runOn(kind: StoreKind): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-chaos-'))
  const { place, stop } = await startStore(kind, folder)
  try {
    const [report] = await runSegments([{ plan, place }], 1, () => undefined)
    if (!report) throw new Error('The segment was not run')
    return report
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
