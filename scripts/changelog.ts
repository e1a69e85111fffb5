/**
 * Writes CHANGELOG.md for those who use Paywindow. `changeset version` makes an entry of each changeset by the two functions that
 * .changeset/config.json names; `node scripts/versions.ts --write` then gives the parts their headings.
 */

/** A changeset, as far as it is written down. */
interface Changeset {
  /** Its Markdown below the head. */
  readonly summary: string
}

/** An entry of the list. Which commit it came with is nothing to those who read it, and git knows. */
export function getReleaseLine({ summary }: Changeset): string {
  // Without the empty line before a list, pages set the lines of the list no further apart than others.
  const [first = '', ...others] = summary
    .trim()
    .replace(/\r?\n\s*(?=\n- )/g, '')
    .split(/\r?\n/)
  // What follows belongs to the same entry.
  return [`- ${first}`, ...others.map((line) => `  ${line}`.trimEnd())].join('\n')
}

/** Nothing: there is one package, which depends on no other of this repository. */
export function getDependencyReleaseLine(): string {
  return ''
}

const before1 = { Minor: 'What may need a change in your shop', Patch: 'New and corrected' }
const from1 = { Major: 'What may need a change in your shop', Minor: 'New', Patch: 'Corrected' }

/**
 * The changelog with headings for people in the part about a version. Changesets writes “Patch Changes” there, by the step of the version.
 *
 * @param version - Of which step is what: .changeset/README.md.
 */
export function withHeadings(changelog: string, version: string): string {
  const headings: Readonly<Record<string, string>> = version.startsWith('0.') ? before1 : from1
  const parts = changelog.split(/^(?=## )/m)
  return parts
    .map((part) =>
      part.startsWith(`## ${version}\n`)
        ? part.replace(/^### (\w+) Changes$/gm, (line, step: string) =>
            headings[step] ? `### ${headings[step]}` : line,
          )
        : part,
    )
    .join('')
}
