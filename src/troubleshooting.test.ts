import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorCodes } from './contract/error-codes.testing.ts'
import { statusOfCode } from './contract/status-of-code.ts'
import { en } from './locales/en.ts'

const page = readFileSync(new URL('../docs/troubleshooting.md', import.meta.url), 'utf8')

describe('docs/troubleshooting.md', () => {
  it('quotes only what a payer can read', () => {
    const quoted = [...page.matchAll(/“(.*?)”/g)].map(([, words]) => words)
    expect(quoted.length).toBeGreaterThan(10)
    expect(quoted.filter((words) => !Object.values(en).some((text) => text === words))).toEqual([])
  })

  it('explains every screen on which a payment does not start', () => {
    const titles: readonly string[] = ['unreachableTitle', 'busyTitle', 'limitedTitle', 'viewEndedTitle']
    const screens = Object.entries(en).filter(([name]) => name.startsWith('refused') || titles.includes(name))
    expect(screens).toHaveLength(10)
    for (const [, words] of screens) expect(page).toContain(`“${words}”`)
  })

  it('explains every code that only the merchant is told', () => {
    // In browsers only, or answered to them.
    const others = ['unreachable', 'invalid_amount', 'invalid_answer', ...Object.keys(statusOfCode)]
    const codes = errorCodes.filter((code) => !others.includes(code))
    expect(codes).toHaveLength(19)
    for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
  })
})
