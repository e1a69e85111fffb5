/** A short simulation on embedded stores. `npm run test:money` has longer ones. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runSegments } from './workers.ts'
import { planSegment } from './world/plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'paywindow-chaos-'))
afterAll(() => rmSync(folder, { recursive: true }))

const plan = { ...planSegment(11, 0, 20), restores: true }

it.each([
  ['memory', undefined],
  ['SQLite', { kind: 'sqlite', path: join(folder, 'store.sqlite') }],
] as const)(
  'in %s a short run breaks no rule',
  async (_, place) => {
    const [report] = await runSegments([{ plan, place }], 1, () => undefined)
    expect(report?.counts['events delivered']).toBeGreaterThan(100)
    expect(report?.violations).toEqual([])
  },
  120_000,
)
