/**
 * Writes CHANGELOG.md for users. `changeset version` calls the two functions here, because
 * .changeset/config.json names this file. `node scripts/versions.ts --write` then writes the
 * headings.
 */

/** A changeset. */
interface Changeset {
  /** The Markdown below its head. */
  readonly summary: string
}

/** An entry of the list. It names no commit, which users do not need. */
export function getReleaseLine({ summary }: Changeset): string {
  // An empty line before a list would set its lines further apart on pages.
  const [first = '', ...others] = summary
    .trim()
    .replace(/\r?\n\s*(?=\n- )/g, '')
    .split(/\r?\n/)
  // Indented lines belong to the same entry.
  return [`- ${first}`, ...others.map((line) => `  ${line}`.trimEnd())].join('\n')
}

/** None: the repository has one package. */
export function getDependencyReleaseLine(): string {
  return ''
}

const before1 = { Minor: 'What may need a change in your shop', Patch: 'New and corrected' }
const from1 = { Major: 'What may need a change in your shop', Minor: 'New', Patch: 'Corrected' }

/**
 * Replaces headings such as “Patch Changes” in the part about a version by headings for users.
 * .changeset/README.md says which step means what.
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
