/**
 * `node scripts/run.mjs scripts/released-records.ts`: writes the records of this version into
 * `src/server/records/released`, for tests of later versions. Fails when this version has files
 * there: released records never change.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { writtenRecords } from '../src/server/records/released.testing.ts'
import { root } from './paths.ts'

const folder = join(root, 'src/server/records/released', packageJson.version)
mkdirSync(folder)
for (const [name, record] of await writtenRecords())
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`)
