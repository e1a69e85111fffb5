/**
 * `node node_modules/paywindow/plugins/pack.mjs`: writes the plug-ins for shops in PHP as the files
 * that their admin pages take, into this folder or that of the argument.
 */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { crc32 } from 'node:zlib'

const here = import.meta.dirname
const shared = ['orders.php', '../examples/languages/paywindow.php']

/** The file, where a plug-in stands in it, and where the code that plug-ins share stands there. */
const plugins = {
  woocommerce: { zip: 'paywindow-woocommerce.zip', at: 'paywindow/', library: 'paywindow/lib/' },
  opencart: { zip: 'paywindow.ocmod.zip', at: '', library: 'system/library/' },
}

for (const [name, { zip, at, library }] of Object.entries(plugins)) {
  const folder = join(here, name)
  const own = globSync('**', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
  const entries = [
    ...own.map((path) => [at + path.replaceAll(sep, '/'), join(folder, path)]),
    ...shared.map((path) => [library + path.replace(/.*\//, ''), join(here, path)]),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const file = resolve(process.argv[2] ?? '.', zip)
  writeFileSync(
    file,
    zipOf(entries.map(([path, source]) => ({ path: Buffer.from(path), content: readFileSync(source) }))),
  )
  console.log(file)
}

/** A ZIP file without compression: these are a few kilobytes, and no program is needed. */
function zipOf(entries) {
  const parts = []
  const directory = []
  let offset = 0
  for (const { path, content } of entries) {
    const described = descriptionOf(path, content)
    const local = Buffer.concat([numbers([4, 0x04034b50]), described, path, content])
    parts.push(local)
    // Made by version 2.0, for MS-DOS.
    const listed = [
      numbers([4, 0x02014b50], [2, 20]),
      described,
      numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      path,
    ]
    directory.push(...listed)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const count = [2, entries.length]
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], count, count, [4, listing.length], [4, offset], [2, 0])
  return Buffer.concat([...parts, listing, end])
}

/**
 * What a local header and the directory both have: needs version 2.0, names in UTF-8, stored, of
 * 1980-01-01.
 */
function descriptionOf(path, content) {
  const size = [4, content.length]
  return numbers(
    [2, 20],
    [2, 0x0800],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, crc32(content)],
    size,
    size,
    [2, path.length],
    [2, 0],
  )
}

/** Numbers of so many bytes, the least first. */
function numbers(...pairs) {
  return Buffer.concat(
    pairs.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
