/** Texts of the service and of browsers in messages to the merchant: each is one printable line. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import { inOneLine } from '../observing/occurrence.ts'
import { createTestShop } from '../shop.testing.ts'

/**
 * Line ends, terminal escapes in both widths, reversed text, hidden text, halves of characters, and
 * a tag character.
 */
const dangers = [
  '\n',
  '\r',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v',
  '\f',
  '\u001b[2K',
  '\u009b31m',
  '\b',
  '\0',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u200b',
  '\ufeff',
  '\u00ad',
  '\ud800',
  '\udc00',
  '\u{e0041}',
  '\ufff9',
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...dangers), fc.string({ unit: 'binary', maxLength: 5 }), fc.constant('x".\\ ')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => `a${parts.join('')}b`)

/** A second implementation: whether no character starts a line or changes how the rest is seen. */
function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text) && text.length <= 4_000
}

describe('what is reported to the merchant', () => {
  it('is always one printable line', () => {
    fc.assert(
      fc.property(hostile, fc.nat(2_000), (text, times) => {
        const error = inOneLine(
          new PaywindowError('service_invalid', text.repeat(1 + (times % 500)), { retryAfterMs: times }),
        )
        expect(isOneLine(error.message)).toBe(true)
        expect(error.stack).toContain(`${error.message}\n`)
        expect(error).toMatchObject({ code: 'service_invalid', retryAfterMs: times })
        const failure = new ServiceError('refused', text, { outcome: 'not_done' })
        expect(isOneLine(failure.message)).toBe(true)
      }),
    )
  })

  it('stays unchanged if it is one line, in any language', () => {
    const error = new PaywindowError('paid_twice', 'Cart «зал №7 日本 👍» was paid “twice”…')
    expect(inOneLine(error)).toBe(error)
  })

  it('is one line for every text that the service can send, in any field', { timeout: 30_000 }, async () => {
    const codes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        for (const field of fields) await tell(text, field, codes)
      }),
      { numRuns: 8 },
    )
    expect([...codes].sort()).toEqual(
      expect.arrayContaining(['order_unresolved', 'service_invalid', 'service_refused', 'status_unknown']),
    )
  })

  it('is one line for references that browsers choose: one with what is not seen is refused', async () => {
    for (const danger of dangers) {
      const shop = createTestShop()
      const reference = `cart${danger}42`
      expect(await shop.send('POST', '/checkouts', { body: { reference } }), JSON.stringify(danger)).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_request' } },
      })
      expect((await shop.send('GET', `/offer?reference=${encodeURIComponent(reference.toWellFormed())}`)).status).toBe(
        reference.isWellFormed() ? 400 : 200,
      )
      for (const { message } of shop.errors) expect(message).toBe('reference has characters that cannot be seen')
    }
  })
})

const fields = [
  'message',
  'amount',
  'wallet_address',
  'tag',
  'symbol',
  'date_time',
  'status',
  'id',
  'created_at',
  'source_asset',
  'target_amount',
] as const

/** Lets a service write a text into a field, and checks all messages to the merchant. */
async function tell(text: string, field: (typeof fields)[number], codes: Set<string>): Promise<void> {
  const shop = createTestShop({ sandbox: { creationId: field === 'status' } })
  const { fetch: service } = shop.sandbox
  Object.assign(shop.sandbox, {
    fetch: async (...ask: Parameters<typeof service>) => spoil(await service(...ask), field, text),
  })
  const { json } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
  await shop.settle()
  await shop.pass(180_000)
  await shop.send('GET', `/checkouts/${json.id}`, { key: String(json.key) })
  await shop.run(shop.paywindow.watchOnce())
  const bound: unknown = await shop.run(
    shop.paywindow.bind(String(json.id), `o${text}`).catch((error: unknown) => error),
  )
  for (const error of [...shop.errors, ...(bound instanceof Error ? [bound] : [])]) {
    if ('code' in error) codes.add(String(error.code))
    expect(error.message).toSatisfy(isOneLine)
  }
}

/**
 * Writes a text into a field, wherever it stands; as a refusal where it is the service's message.
 */
async function spoil(answer: Response, field: (typeof fields)[number], text: string): Promise<Response> {
  const json: unknown = JSON.parse(await answer.text())
  const set = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(set)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === field ? text : set(each)]))
  }
  return new Response(JSON.stringify(set(json)), {
    status: field === 'message' ? 400 : answer.status,
    headers: answer.headers,
  })
}
