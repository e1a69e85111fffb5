/** A short crash test on each store. The tests run at once, because they mostly wait. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { storeKinds, whyMissing } from '../../stores/start-store.ts'

const command = fileURLToPath(new URL('./run.ts', import.meta.url))

for (const kind of storeKinds)
  it(`ten kills on ${kind} break no rule`, {
    concurrent: true,
    timeout: 600_000,
    skip: whyMissing(kind) !== undefined,
  }, async ({ expect }) => {
    const run = promisify(execFile)(process.execPath, [command, '--store', kind, '--kills', '10'])
    // The error has the output of the command, which says what broke which rule.
    expect(await run.then(() => 'clean', String)).toBe('clean')
  })
