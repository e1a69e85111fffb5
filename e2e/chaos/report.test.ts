import { describe, expect, it } from 'vitest'
import { isClean } from './report.ts'
import { createFindings } from './world/findings.ts'

function findings({ shown, unresolved }: { readonly shown: number; readonly unresolved: number }) {
  const found = createFindings(() => 0)
  found.count('checkouts shown to a browser', shown)
  found.count('unresolved', unresolved)
  return found
}

describe('a report', () => {
  it('is clean until a rule is broken', () => {
    const found = findings({ shown: 10, unresolved: 0 })
    expect(isClean(found.report())).toBe(true)
    found.violate('lost', 'a checkout')
    expect(isClean(found.report())).toBe(false)
  })

  it('of a long run is not clean when more than 0.5 % stay unresolved', () => {
    expect(isClean(findings({ shown: 10_000, unresolved: 50 }).report())).toBe(true)
    expect(isClean(findings({ shown: 10_000, unresolved: 51 }).report())).toBe(false)
    expect(isClean(findings({ shown: 100, unresolved: 5 }).report())).toBe(true)
  })
})
