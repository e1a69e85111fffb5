import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PaywindowErrorCode, statusOfCode } from './contract/errors.ts'
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
    const codes: Record<
      Exclude<PaywindowErrorCode, keyof typeof statusOfCode | 'unreachable' | 'invalid_amount' | 'invalid_answer'>,
      0
    > = {
      invalid_options: 0,
      offer_invalid: 0,
      status_unknown: 0,
      deposit_false: 0,
      binding_contradicted: 0,
      order_unresolved: 0,
      paid_twice: 0,
      callback_failed: 0,
      events_waiting: 0,
      record_unreadable: 0,
      service_held_off: 0,
      clients_look_alike: 0,
      nobody_watches: 0,
      token_unencrypted: 0,
    }
    for (const code of Object.keys(codes)) expect(page).toContain(`| \`${code}\` |`)
  })
})
