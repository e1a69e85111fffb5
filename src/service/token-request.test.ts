import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from './client.testing.ts'
import { gives, rfcClient, setUpToken } from './token-endpoint.testing.ts'
import { basic, formEncode } from './token-request.ts'
import type { ClientCredentialsOptions } from './token-settings.ts'

describe('the encoding', () => {
  it('is that of the examples of RFC 6749', () => {
    expect(basic('s6BhdRkqt3', '7Fjfp0ZBr1KtDRbnfVdmIw')).toBe('Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3')
    expect(basic('s6BhdRkqt3', 'gX1fBat3bV')).toBe('Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW')
    // Appendix B: a space, a percent sign, an ampersand, a plus sign, a pound sign and a euro sign.
    expect(formEncode(' %&+£€')).toBe('+%25%26%2B%C2%A3%E2%82%AC')
  })

  it('gives every id and secret back, whatever is in them', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    const decode = (part: string | undefined) => decodeURIComponent((part ?? '').replaceAll('+', ' '))
    fc.assert(
      fc.property(text, text, (id, secret) => {
        const parts = atob(basic(id, secret).slice('Basic '.length)).split(':')
        expect(parts.map(decode)).toEqual([id, secret])
      }),
    )
  })
})

describe('a token request', () => {
  it('is a form with the client in the header', async () => {
    const { get, requests } = setUpToken(() => gives('t1'), { scope: 'orders wallets' })
    expect(await get()).toBe('t1')
    const [request] = requests
    expect(request).toMatchObject({ method: 'POST', url: 'https://service.example/oauth/token', redirect: 'manual' })
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: 'Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3',
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(await request?.text()).toBe('grant_type=client_credentials&scope=orders+wallets')
  })

  it('is JSON for services that take nothing else', async () => {
    const { get, requests } = setUpToken(() => gives('t1', { expiration: 86_400 }), { authentication: 'json' })
    expect(await get()).toBe('t1')
    expect(requests[0]?.headers.get('authorization')).toBeNull()
    expect(await requests[0]?.json()).toEqual({ client_id: rfcClient.clientId, client_secret: rfcClient.clientSecret })
  })

  const secrets = [rfcClient.clientSecret, basic(rfcClient.clientId, rfcClient.clientSecret), 'leaked-token']
  const echo = `${secrets.join(' ')}\r\n\u202e`
  it.each<[string, () => Response | Promise<Response>, string, string]>([
    [
      'a wrong secret',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      'unauthorized',
      'check clientId',
    ],
    ['a wrong scope', () => Response.json({ error: 'invalid_scope' }, { status: 400 }), 'unauthorized', 'check scope'],
    ['words of its own', () => Response.json({ error: echo }, { status: 400 }), 'unauthorized', 'answered 400: check'],
    ['a page', () => new Response(`<html>${echo}`), 'unauthorized', 'without a usable access_token: check tokenUrl'],
    ['null', () => new Response('null'), 'unauthorized', 'without a usable access_token'],
    ['a token with a line break', () => gives(`leaked-token\n`), 'unauthorized', 'without a usable access_token'],
    [
      'RFC 6749, section 4.4.3',
      () => gives('2YotnFZFEjr1zCsicMWpAA', { token_type: 'example' }),
      'unauthorized',
      'no bearer',
    ],
    ['a wrong path', () => new Response(echo, { status: 404 }), 'unauthorized', 'answered 404: check tokenUrl'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/x' } }),
      'unauthorized',
      'set tokenUrl to',
    ],
    ['a failure', () => new Response(echo, { status: 500 }), 'unavailable', 'answered 500'],
    ['too much', () => new Response('x'.repeat(65_537)), 'unauthorized', 'more than 65536 bytes'],
    ['silence', () => new Promise<Response>(() => undefined), 'unavailable', 'did not answer within 10000 ms'],
    ['a body that never ends', () => new Response(new ReadableStream()), 'unavailable', 'did not answer within'],
    [
      'no connection',
      () => Promise.reject(new TypeError(echo, { cause: { code: 'ECONNREFUSED' } })),
      'unavailable',
      '(ECONNREFUSED)',
    ],
  ])('that gets %s says what to do, and no secret', async (_, answer, code, words) => {
    const { provider, clock } = setUpToken(answer, { tokenUrl: 'https://service.example/oauth/token?key=leaked-token' })
    const error = await clock.run(failure(provider.get()))
    expect(error).toMatchObject({ code, outcome: 'not_done' })
    expect(error.cause).toBeUndefined()
    expect(error.message).toContain('The token endpoint https://service.example/oauth/token ')
    expect(error.message).toContain(words)
    for (const secret of secrets) expect(`${error.message}${JSON.stringify(error)}`).not.toContain(secret)
  })
})

describe('the options of clientCredentials', () => {
  it.each<[string, Partial<ClientCredentialsOptions>]>([
    ['must be https', { tokenUrl: 'http://service.example/token' }],
    ['must be https', { tokenUrl: 'http://127.0.0.1.example/token' }],
    ['must be an absolute https URL', { tokenUrl: '/token' }],
    ['user name or password', { tokenUrl: 'https://a:leaked-token@service.example/' }],
    ['fragment', { tokenUrl: 'https://service.example/#leaked-token' }],
    ['clientId must', { clientId: '' }],
    ['clientSecret must', { clientSecret: '' }],
    ['clientSecret must', { clientSecret: 'leaked-token\ud800' }],
    ['scope must', { scope: ' orders' }],
    ['scope must', { scope: '' }],
    ['timeoutMs must', { timeoutMs: 0 }],
  ])('%s: %j is refused', (words, options) => {
    const create = () => setUpToken(() => gives('t'), options)
    expect(create).toThrow(words)
    expect(create).not.toThrow('leaked-token')
  })

  it.each(['http://localhost:4300/token', 'http://127.0.0.1/token', 'http://127.1/', 'http://[::1]:80/'])(
    'accept %s on this machine',
    (tokenUrl) => expect(setUpToken(() => gives('t'), { tokenUrl }).provider).toBeDefined(),
  )
})
