// @vitest-environment jsdom
/**
 * Each error that a first request can be answered with: what the payer is told, and whether it is
 * asked for again.
 */
import { expect, it } from 'vitest'
import { statusOfCode } from '../contract/status-of-code.ts'
import { en } from '../locales/en.ts'
import { errorJson } from './fake-merchant.testing.ts'
import { heading, openShop, pass } from './widget.testing.tsx'

const shop = openShop()

/**
 * Passes by itself: it is asked for again, and after a while the payer is told whose fault it is.
 */
const passing = {
  rate_limited: en.limitedTitle,
  internal: en.busyTitle,
  service_unavailable: en.busyTitle,
} as const

/**
 * Stays until a person mends it: said at once, and never asked for again. Nothing creates a
 * checkout and answers `not_found`.
 */
const lasting: Readonly<Record<Exclude<keyof typeof statusOfCode, keyof typeof passing | 'not_found'>, string>> = {
  invalid_request: en.refusedTitle,
  forbidden_origin: en.refusedTitle,
  not_offered: en.refusedTitle,
  method_not_allowed: en.refusedTitle,
  already_seen: en.refusedTitle,
  request_too_large: en.refusedTitle,
  unsupported_media_type: en.refusedTitle,
  method_not_offered: en.refusedTitle,
  asset_not_crypto: en.refusedTitle,
  offer_invalid: en.refusedTitle,
  service_refused: en.refusedTitle,
  service_invalid: en.refusedTitle,
}

function answerWith(code: keyof typeof statusOfCode): void {
  shop.merchant.on('POST /checkouts', () => ({ status: statusOfCode[code], json: errorJson(code) }))
}

it.each(Object.entries(lasting) as [keyof typeof lasting, string][])(
  '%s: “%s”, at once and for good',
  async (code, title) => {
    answerWith(code)
    await shop.show()
    expect(heading()).toBe(title)
    await pass(120_000)
    expect(heading()).toBe(title)
    expect(shop.merchant.count('POST /checkouts')).toBe(1)
  },
)

it.each(Object.entries(passing) as [keyof typeof passing, string][])(
  '%s: “%s”, until it has passed',
  async (code, title) => {
    answerWith(code)
    await shop.show()
    await pass(60_000)
    expect(heading()).toBe(title)
    shop.merchant.reset('POST /checkouts')
    // The pause grows to a minute, more or less.
    await pass(120_000)
    expect(heading()).toBe('Send exactly 0.00123456 BTC')
  },
)
