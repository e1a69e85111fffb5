/** The vectors of examples/languages, which shops in other languages verify, too. */
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signWebhook } from './standard-webhook.ts'

interface EventVector {
  readonly name: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Why it is refused. */
  readonly error?: string
  /** The libraries of the specification take it, or read it otherwise. */
  readonly laxer?: true
}

const vectors: { readonly now: number; readonly events: readonly EventVector[] } = JSON.parse(
  readFileSync(new URL('../../examples/languages/vectors.json', import.meta.url), 'utf8'),
)
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
const [id, body] = ['msg_1', '{"type":"paid"}']

beforeAll(() => {
  vi.useFakeTimers({ now: vectors.now * 1_000 })
})
afterAll(() => {
  vi.useRealTimers()
})

describe('a vector', () => {
  const valid = vectors.events.filter(({ error }) => error === undefined)
  const invalid = vectors.events.filter(({ error, laxer }) => error !== undefined && !laxer)
  /** What the library of the specification reads with any of the secrets. */
  const read = ({ secrets, headers, body }: EventVector) =>
    secrets.flatMap((each) => {
      try {
        return [new Webhook(each).verify(body, { ...headers })]
      } catch {
        return []
      }
    })

  it('is there for each case', () => {
    expect([valid.length, invalid.length].map((count) => count > 10)).toEqual([true, true])
  })

  it.each(valid)('$name: the library of the specification reads the event', (vector) => {
    expect(read(vector)).toEqual([JSON.parse(vector.body)])
  })

  it.each(invalid)('$name: the library of the specification refuses it', (vector) => {
    expect(read(vector)).toEqual([])
  })

  it.each(valid)('$name: has a signature of ours', ({ secrets, headers, body }) => {
    const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const [own, time] = [named.get('webhook-id') ?? '', Number(named.get('webhook-timestamp'))]
    const given = named.get('webhook-signature')?.split(' ')
    const signed = secrets.map((each) => signWebhook([each], own, time, body))
    expect(signed.filter((each) => given?.includes(each))).toHaveLength(1)
  })
})

describe('a signature', () => {
  it('is there for each secret, so that a receiver may know either', () => {
    const other = 'whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI='
    const signature = signWebhook([other, secret], id, vectors.now, body)
    expect(signature).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
    const headers = { 'webhook-id': id, 'webhook-timestamp': `${vectors.now}`, 'webhook-signature': signature }
    for (const each of [secret, other]) expect(new Webhook(each).verify(body, headers)).toEqual({ type: 'paid' })
  })

  it.each([
    [[]],
    [['']],
    [['whsec_']],
    [[secret.slice(6)]],
    [['whsec_c2hvcnQ=']],
    [['whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI']],
    [[secret, 'whsec_?']],
  ])('is not made with %j, and no secret stands in the error', (secrets) => {
    const sign = () => signWebhook(secrets, id, vectors.now, body)
    expect(sign).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(/^A secret of events must/) }),
    )
  })

  it.each([
    ['', vectors.now],
    ['msg.1', vectors.now],
    ['msg 1', vectors.now],
    ['msg\n1', vectors.now],
    [id, vectors.now + 0.5],
    [id, Number.NaN],
    [id, -1],
  ])('is not made for the id %j at %d', (given, timestampS) => {
    expect(() => signWebhook([secret], given, timestampS, body)).toThrow(RangeError)
  })
})
