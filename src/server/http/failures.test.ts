/**
 * What a browser and the merchant learn when something fails here: the browser no inner words, the
 * merchant always.
 */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { errorCodes } from '../../contract/error-codes.testing.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import { ServiceError } from '../../service/errors.ts'
import { checkOptions } from '../options.ts'
import { bitcoin, createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { toFetch } from './exchange.ts'
import { createHandler, createIncidents } from './handler.ts'

const inner = 'inner words: table orders is locked'

const foreign = fc.oneof(
  fc.constantFrom(undefined, null, 0, '', inner, Symbol(inner), { message: inner }, () => inner),
  fc.constantFrom(
    new Error(inner),
    new TypeError(inner),
    new SyntaxError(inner),
    new ParseError(inner),
    new AggregateError([new Error(inner)], inner),
    new ServiceError('refused', inner, { outcome: 'not_done', serviceMessage: inner }),
    Object.assign(new Error(inner), { code: 'not_found', retryAfterMs: 1 }),
    Object.assign(new Error(inner), { name: 'PaywindowError', code: 'not_found' }),
  ),
  fc.anything(),
)
/** Codes whose words are for browsers: all but those of 500. */
const isPublic = (code: string) => Object.hasOwn(statusOfCode, code) && statusOfCode[code as 'internal'] !== 500
const own = fc.constantFrom(...errorCodes).map((code) => new PaywindowError(code, isPublic(code) ? 'said' : inner))

const requests = [
  ['GET', '/offer?reference=a', undefined],
  ['POST', '/checkouts', { reference: 'a' }],
] as const

describe('a failure', () => {
  it('is reported once to the merchant when the answer is 500; a browser reads none of its words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(foreign, own), fc.constantFrom(...requests), async (thrown, [method, path, body]) => {
        const told: PaywindowError[] = []
        const service = { baseUrl: 'https://service.example', accessToken: 'token', subAccountId: 'sub' }
        const onError = (error: PaywindowError) => told.push(error)
        const settings = checkOptions({ service, offer: () => null, store: createMemoryStore(), onError })
        const fail = () => Promise.reject(thrown)
        const checkouts = {
          offer: fail,
          open: fail,
          poll: fail,
          renew: fail,
          handover: fail,
          show: fail,
          renewOf: fail,
        }
        const payPage = { show: fail, act: fail, refuse: fail }
        const nameIncident = createIncidents(
          settings.report,
          () => 'ABCDEF',
          () => 0,
        )
        const handle = toFetch(createHandler(settings, { checkouts, icon: fail, nameIncident, payPage }))
        const answer = await handle(requestOf(method, path, body))
        const text = await answer.text()
        expect(text).not.toContain('inner')
        const isNamed = thrown instanceof PaywindowError && (isPublic(thrown.code) || thrown.code === 'offer_invalid')
        const expected = isNamed ? thrown.code : 'internal'
        expect(JSON.parse(text).error.code).toBe(expected)
        // A refused payer gets the incident name reported to the merchant.
        const { incident } = JSON.parse(text).error
        expect([0, 1]).toContain(told.length)
        expect(incident).toBe(told.length === 1 ? 'ABCDEF' : undefined)
        if (answer.status === 500) expect(told).toHaveLength(1)
        expect(answer.status === 500).toBe(!isPublic(expected))
        for (const error of told) expect(thrown instanceof PaywindowError ? error : error.cause).toBe(thrown)
      }),
      { numRuns: 300 },
    )
  })

  it.each(requests)('of offer is one, however it is thrown: %s %s', async (method, path, body) => {
    await fc.assert(
      fc.asyncProperty(foreign, fc.boolean(), async (thrown, isAsync) => {
        const shop = createTestShop()
        Object.defineProperty(shop, 'offer', {
          get: () => {
            if (isAsync) return Promise.reject(thrown)
            throw thrown
          },
        })
        const answer = await shop.send(method, path, body && { body })
        expect(answer).toMatchObject({ status: 500, json: { error: { code: 'internal' } } })
        expect(JSON.stringify(answer.json)).not.toContain('inner')
        expect(shop.errors.map(({ code }) => code)).toEqual(['callback_failed'])
        expect(shop.errors[0]?.cause).toBe(thrown)
      }),
      { numRuns: 60 },
    )
  })

  it('of reading a stored record is an internal error, not a mistake of the browser', async () => {
    for (const spoiled of ['not json', '{}', '{"v":2}', '[]', JSON.stringify({ v: 1, id: 7 })]) {
      const store = createMemoryStore()
      const shop = createTestShop({ store })
      const { id, key } = await shop.open()
      const told: unknown[] = []
      for (const name of [`checkout ${id}`, 'cart cart-42']) {
        const record = await store.read(name)
        if (record) await store.replace({ key: name, value: spoiled, due: [], labels: [] }, record.version)
      }
      for (const [method, path, body] of [
        ['GET', `/checkouts/${id}`, undefined],
        ['GET', '/offer?reference=cart-42', undefined],
        ['POST', '/checkouts', { reference: 'cart-42' }],
        ['POST', `/checkouts/${id}/renew`, {}],
        ['GET', `/icons/${id}`, undefined],
      ] as const) {
        const answer = await shop.send(method, path, { key, ...(body && { body }) })
        told.push(answer.json)
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 500,
          json: { error: { code: 'internal', message: "The server's onError was told what is wrong" } },
        })
      }
      expect(shop.errors.filter(({ code }) => code === 'internal')).toHaveLength(told.length)
    }
  })

  it('of onError itself does not stop the server', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    for (const onError of [
      () => {
        throw new Error('the log is full')
      },
      async () => Promise.reject(new Error('the log is full')),
    ]) {
      const shop = createTestShop({ onError })
      shop.offer = { price: { asset: 'USD', amount: '0' }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
      expect(await shop.send('GET', '/offer?reference=a')).toMatchObject({ status: 500 })
    }
    expect(said.mock.calls.map(([words]) => String(words).slice(0, 26))).toEqual([
      'paywindow: onError threw',
      'paywindow: offer_invalid: ',
      'paywindow: onError threw',
      'paywindow: offer_invalid: ',
    ])
    said.mockRestore()
  })
})

function requestOf(method: string, path: string, body: unknown): Request {
  return new Request(`https://shop.example/paywindow${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
