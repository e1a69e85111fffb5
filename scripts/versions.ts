/**
 * `node scripts/versions.ts`: checks that all files have the version of package.json, and that the
 * next version fits the changes of the public names. `--write`: writes the version into these
 * files, and the headings of the changelog; `npm run next-version` does so.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exampleNames, startPage } from '../e2e/hosts/examples.ts'
import { withHeadings } from './changelog.ts'
import { root } from './paths.ts'
import { bumpBetween, highestBump, lastRelease, namedBump, neededBump, reaches } from './releases.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version }: { version: string } = JSON.parse(read('package.json'))

/** The version of Paywindow that an example installs. */
const inExample = /("paywindow": "|paywindow@)([^"\s]+)/
const examplePaths = [...exampleNames.map((name) => `examples/${name}/package.json`), 'examples/serve/Dockerfile']

if (process.argv.includes('--write')) write()
const problems = [...otherVersions(), ...missingBump()]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`${version} in package.json, its lock, CHANGELOG.md and ${examplePaths.length} examples`)

function write(): void {
  const lock = JSON.parse(read('package-lock.json'))
  lock.version = version
  lock.packages[''].version = version
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  for (const path of examplePaths) writeFileSync(join(root, path), read(path).replace(inExample, `$1${version}`))
  writeFileSync(join(root, 'CHANGELOG.md'), withHeadings(read('CHANGELOG.md'), version))
  for (const name of exampleNames) writeFileSync(join(root, 'docs', 'start', `${name}.md`), startPage(name))
}

/** Returns a sentence for each file that has another version than package.json. */
function otherVersions(): readonly string[] {
  const lock = JSON.parse(read('package-lock.json'))
  const written = [
    ['package-lock.json', lock.version],
    ['package-lock.json', lock.packages[''].version],
    ...examplePaths.map((path) => [path, inExample.exec(read(path))?.[2]]),
  ]
  const others = written.filter(([, other]) => other !== version)
  const advice = 'run node scripts/run.mjs scripts/versions.ts --write'
  return [
    ...others.map(([path, other]) => `${path} names ${other}, and package.json ${version}: ${advice}`),
    ...(read('CHANGELOG.md').split('\n').includes(`## ${version}`)
      ? []
      : [`CHANGELOG.md has no part about ${version}`]),
  ]
}

/** Returns a sentence if the next version is too low for the changes of the public names. */
function missingBump(): readonly string[] {
  const release = lastRelease(root)
  if (typeof release === 'string') {
    console.log(`Skipped: docs/api is compared with no release, because ${release}`)
    return []
  }
  const reports = globSync('docs/api/*.api.md', { cwd: root }).map((path) => [basename(path), read(path)] as const)
  const needed = neededBump(release.reports, new Map(reports), release.version)
  const changesets = globSync('.changeset/*.md', { cwd: root }).filter((path) => basename(path) !== 'README.md')
  const found = highestBump([bumpBetween(release.version, version), namedBump(changesets.map(read))])
  const since = `since ${release.name}, which is ${release.version}`
  if (needed === undefined || reaches(found, needed)) {
    console.log(
      `Public names ${since}: ${needed === undefined ? 'the same' : `${needed} is needed, ${found} is named`}`,
    )
    return []
  }
  return [
    `The public names have changed ${since}: look at git diff ${release.name} -- docs/api. That takes a ${needed} version, and ` +
      `${found === undefined ? 'no step' : `only ${found}`} is named: npm run changeset`,
  ]
}
