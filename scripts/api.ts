/**
 * Fails when the public names are not those written down in docs/api, so that no change to them goes unseen in review.
 * With --update, writes them down. Reads what scripts/types.ts left in the cache.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache, root } from './paths.ts'

const written = join(root, 'docs', 'api')
const current = readReports(join(cache, 'api'))

if (process.argv.includes('--update')) {
  rmSync(written, { recursive: true, force: true })
  mkdirSync(written, { recursive: true })
  for (const [file, text] of current) writeFileSync(join(written, file), text)
  console.log(`docs/api: ${current.size} reports written`)
} else {
  compare(readReports(written))
}

function compare(known: Map<string, string>): void {
  const changed = [...new Set([...known.keys(), ...current.keys()])].filter(
    (file) => known.get(file) !== current.get(file),
  )
  if (changed.length > 0) {
    console.error(`Public names have changed: ${changed.join(', ')}.`)
    console.error('When that is meant: npm run api, then look at the difference in docs/api and commit it.')
    process.exit(1)
  }
  console.log(`${current.size} entries have the public names of docs/api`)
}

function readReports(folder: string): Map<string, string> {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.api.md')) : []
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}
