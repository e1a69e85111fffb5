import { describe, expect, it } from 'vitest'
import { errorCodes } from '../contract/error-codes.testing.ts'
import { adviceOn } from './advice.ts'

const origin = 'http://localhost:3000'

describe('adviceOn', () => {
  it.each(errorCodes)('has a fix for %s', (code) => {
    expect(adviceOn(`${code}: something`, origin)).toMatch(/\w{3}/)
  })

  it.each([
    ['invalid_options: endpoint and reference are needed', 'set `endpoint` and `reference`'],
    ['unreachable: /paywindow/checkouts did not answer null', 'allow-same-origin'],
    [`unreachable: https://api.example/paywindow/checkouts did not answer ${origin}`, 'allowedOrigins'],
    [`unreachable: ${origin}/paywindow/checkouts did not answer ${origin}`, 'npx paywindow check'],
    [`unreachable: /paywindow/checkouts did not answer ${origin}`, 'npx paywindow check'],
    [`unreachable: ${origin}/paywindow/checkouts: status 502`, 'npx paywindow check'],
    [
      `invalid_answer: ${origin}/paywindow/checkouts: Unexpected token '<', "<!doctype "... is not valid JSON`,
      'all paths below',
    ],
    [`invalid_answer: ${origin}/pay/checkouts: status 404`, 'is `endpoint` the path'],
    ['service_invalid: /paywindow/checkouts: none are shown', 'test: true'],
    ['stays English: Error: /locales/de.json has no language, but status 404', '`locales`'],
    ['stays English: texts for de are not set', '`texts`'],
    ['Icon /paywindow/icons/abc was not loaded', 'img-src'],
  ])('%s: %s', (words, fix) => {
    expect(adviceOn(words, origin)).toContain(fix)
  })

  it('has none for what nobody has foreseen', () => {
    expect(adviceOn('sky: fell', origin)).toBeNull()
  })
})
