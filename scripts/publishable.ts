/** `npm publish` runs this before anything else: a version that is on the registry cannot be mended, only followed by another. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

const form = '.github/ISSUE_TEMPLATE/config.yml'
const placeholder = 'OWNER/REPOSITORY'

/**
 * What has to be set before the package may be published: a sentence for each, none if all is there.
 *
 * @param packageText - Of package.json.
 * @param formText - Of the form for issues, whose link is a whole address.
 */
export function missingAddresses(packageText: string, formText: string): readonly string[] {
  const { repository }: { repository?: unknown } = JSON.parse(packageText)
  const address = JSON.stringify(repository) ?? ''
  return [
    ...(/[\w-]\/[\w.-]+/.test(address) && !address.includes(placeholder)
      ? []
      : [
          "package.json names no repository, and the registry's page would have links to nowhere: " +
            'npm pkg set repository.type=git repository.url=git+https://github.com/…/….git',
        ]),
    ...(formText.includes(placeholder)
      ? [`${form} still says ${placeholder}: write the address of the repository there`]
      : []),
  ]
}

if (process.argv[1] === import.meta.filename) {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const missing = missingAddresses(read('package.json'), read(form))
  if (missing.length > 0) {
    console.error(`Not published.\n${missing.join('\n')}`)
    process.exit(1)
  }
}
