/** Checks before `npm publish`: a published version can never be changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

const form = '.github/ISSUE_TEMPLATE/config.yml'
const placeholder = 'OWNER/REPOSITORY'

/**
 * Returns a sentence for each address that is missing.
 *
 * @param packageText - The text of package.json.
 * @param formText - The text of the configuration of issue forms.
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
