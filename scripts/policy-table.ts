/**
 * Prints `src/server/core/policy.ts` as the table of `docs/maintainers/policy.md`; with `--write`,
 * writes that page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { policy } from '../src/server/core/policy.ts'
import { root } from './paths.ts'

const page = join(root, 'docs/maintainers/policy.md')
const source = readFileSync(join(root, 'src/server/core/policy.ts'), 'utf8')

const intro = `# Every number that decides

When something is asked again, given up, forgotten or told, one number of
[\`policy.ts\`](../../src/server/core/policy.ts) decides. \`npm run policy -- --write\` writes this page. Limits of sockets, files and databases stand
beside the code that meets them.
`

const units = [
  ['d', 24 * 3_600_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A number with its unit: \`90_000\` of a name that ends with \`Ms\` is \`90 s\`. */
function inWords(value: unknown, name: string): string {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return value.map((each) => inWords(each, name)).join(', ')
    const hasUnits = name.endsWith('Ms')
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${inWords(each, hasUnits ? name : key)}`)
      .join('; ')
  }
  if (value === Number.POSITIVE_INFINITY) return 'without end'
  if (typeof value !== 'number' || !name.endsWith('Ms')) return String(value)
  const [unit, ms] = units.find(([, each]) => value >= each && value % each === 0) ?? ['ms', 1]
  return value === 0 ? '0' : `${value / ms} ${unit}`
}

/** The reasons in the order of the file: a section's before those of its numbers. */
function reasons(): string[] {
  const [, body = ''] = source.split('export const policy = {')
  return [...body.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text = '']) =>
    text
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trim())
      .filter(Boolean)
      .join(' '),
  )
}

/** The page as it is now written from the policy. */
export function policyPage(): string {
  const left = reasons()
  const sections = Object.entries(policy).map(([section, numbers]) => {
    const about = left.shift()
    const rows = Object.entries(numbers).map(
      ([name, value]) => `| \`${section}.${name}\` | ${inWords(value, name)} | ${left.shift()} |`,
    )
    return [`## ${about?.replace(/\.$/, '')}`, '', '| number | value | reason |', '|---|---|---|', ...rows].join('\n')
  })
  return [intro, sections.join('\n\n'), ''].join('\n')
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) writeFileSync(page, policyPage())
  else console.log(policyPage())
}
