// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { checkoutFixture, offerFixture } from '../checkout/fixture.ts'
import { PaywindowError } from '../contract/errors.ts'
import { createApi } from './api.ts'

const signal = new AbortController().signal
const { origin } = globalThis
const keyed = { ...checkoutFixture(), key: 'secret' }

function apiAnswering(body: unknown, init: ResponseInit = {}) {
  const fetchFake = vi.fn(async (_input: unknown, _init?: RequestInit) =>
    typeof body === 'string' ? new Response(body, init) : Response.json(body, init),
  )
  return { api: createApi('/paywindow/', fetchFake, globalThis), fetchFake }
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof PaywindowError ? error.code : error),
  )
}

describe('requests', () => {
  it('creates with JSON at the endpoint, whatever slash it ends with', async () => {
    const { api, fetchFake } = apiAnswering(keyed)
    await expect(api.create({ reference: 'cart-42' })).resolves.toMatchObject({ kind: 'checkout', key: 'secret' })
    expect(fetchFake).toHaveBeenCalledWith(
      `${origin}/paywindow/checkouts`,
      expect.objectContaining({
        method: 'POST',
        body: '{"reference":"cart-42"}',
        cache: 'no-store',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json' },
      }),
    )
  })

  it('can be read by what a page puts before its fetch, and has nothing that all objects have', async () => {
    const given = ['method', 'headers', 'body', 'signal', 'cache', 'credentials']
    Object.assign(Object.prototype, { method: 'PUT', body: 'x' })
    const { api, fetchFake } = apiAnswering(checkoutFixture())
    await api.read('c7', 'secret', signal).finally(() => {
      for (const name of ['method', 'body']) Reflect.deleteProperty(Object.prototype, name)
    })
    const [, init] = fetchFake.mock.calls[0] ?? []
    // biome-ignore lint/suspicious/noPrototypeBuiltins: as older scripts ask.
    expect(given.filter((name) => init?.hasOwnProperty(name))).toEqual(given)
    expect(`${init}`).toBe('[object Object]')
    expect(init).toMatchObject({ method: 'GET', body: null })
  })

  it('go where a page is that was opened with a name and a password, without them', async () => {
    const { fetchFake } = apiAnswering(keyed)
    const document = { ...globalThis.document, baseURI: `https://staging:secret@shop.example/cart` }
    const api = createApi('/paywindow', fetchFake, { ...globalThis, origin, document })
    await api.create({ reference: 'cart-42' })
    expect(fetchFake.mock.calls[0]).toMatchObject([`${origin}/paywindow/checkouts`, { credentials: 'same-origin' }])
  })

  it('keeps the key out of the checkout', async () => {
    const { api } = apiAnswering(keyed)
    const answer = await api.create({ reference: 'cart-42' })
    expect(JSON.stringify('checkout' in answer && answer.checkout)).not.toContain('secret')
  })

  it('reads with the key in a header, not in the address', async () => {
    const { api, fetchFake } = apiAnswering(checkoutFixture())
    await api.read('c 7', 'secret', signal)
    expect(fetchFake).toHaveBeenCalledWith(
      expect.stringMatching(/^https:\/\/shop\.example\/paywindow\/checkouts\/c%207\?t=\d+$/),
      expect.objectContaining({ headers: { 'paywindow-key': 'secret' } }),
    )
  })

  it('reads an offer with the reference in the body; of a server of 0.1, which takes it in the address alone, there', async () => {
    const offer = { ...offerFixture, reference: 'cart 42' }
    const now = apiAnswering(offer)
    await expect(now.api.offer('cart 42')).resolves.toEqual({ kind: 'offer', offer })
    expect(now.fetchFake.mock.calls).toEqual([
      [`${origin}/paywindow/offer`, expect.objectContaining({ method: 'POST', body: '{"reference":"cart 42"}' })],
    ])
    const answers = [
      Response.json({ v: 1, error: { code: 'method_not_allowed' } }, { status: 405 }),
      Response.json(offer),
    ]
    const asked: string[] = []
    const before = async (address: RequestInfo | URL) => {
      asked.push(String(address))
      return answers.shift() ?? Response.error()
    }
    await expect(createApi('/paywindow', before, globalThis).offer('cart 42')).resolves.toEqual({
      kind: 'offer',
      offer,
    })
    expect(asked[1]).toMatch(/^https:\/\/shop\.example\/paywindow\/offer\?t=\d+&reference=cart%2042$/)
  })

  it('shows each change through a cache that keeps all answers, whatever they say', async () => {
    vi.useFakeTimers()
    const kept = new Map<string, string>()
    let revision = 0
    const fetchFake = async (address: RequestInfo | URL) => {
      revision += 1
      const text = kept.get(String(address)) ?? JSON.stringify({ ...checkoutFixture(), revision })
      kept.set(String(address), text)
      return new Response(text)
    }
    // Another page may have filled the cache.
    for (const pageLoad of [1, 2, 3]) {
      const api = createApi('/paywindow', fetchFake, globalThis)
      for (const poll of [1, 2, 3]) {
        await vi.advanceTimersByTimeAsync(1_000)
        const { checkout } = await api.read('c7', 'secret', signal)
        expect(checkout.revision, `load ${pageLoad}, poll ${poll}`).toBe(revision)
      }
    }
    vi.useRealTimers()
  })

  it('reads the same answer again where the server says that nothing is new', async () => {
    const answers = [
      Response.json(checkoutFixture(), { headers: { etag: '"one"' } }),
      new Response(null, { status: 304, headers: { etag: '"one"' } }),
      Response.json({ ...checkoutFixture(), revision: 9 }),
    ]
    const fetchFake = vi.fn(async () => answers.shift() ?? Response.error())
    const api = createApi('/paywindow', fetchFake, globalThis)
    const first = await api.read('c7', 'secret', signal)
    expect(await api.read('c7', 'secret', signal)).toBe(first)
    await api.read('c7', 'secret', signal)
    await api.read('c7', 'secret', signal).catch(() => undefined)
    const conditions = fetchFake.mock.calls.map((call: unknown[]) =>
      Reflect.get(Object(Reflect.get(Object(call[1]), 'headers')), 'if-none-match'),
    )
    expect(conditions).toEqual([undefined, '"one"', '"one"', undefined])
  })

  it('asks anew after a refusal: the time left would be that of long ago', async () => {
    const answers = [
      Response.json(checkoutFixture(), { headers: { etag: '"one"' } }),
      Response.json({ v: 1, error: { code: 'not_found', message: 'no' } }, { status: 404 }),
      Response.json(checkoutFixture()),
    ]
    const fetchFake = vi.fn(async () => answers.shift() ?? Response.error())
    const api = createApi('/paywindow', fetchFake, globalThis)
    await api.read('c7', 'secret', signal)
    await expect(api.read('c7', 'secret', signal)).rejects.toMatchObject({ code: 'not_found' })
    await api.read('c7', 'secret', signal)
    expect(fetchFake).toHaveBeenLastCalledWith(
      expect.stringContaining('/paywindow/checkouts/c7?'),
      expect.objectContaining({ headers: { 'paywindow-key': 'secret' } }),
    )
  })

  it('asks for everything once where a script in front of fetch takes 304 for a failure', async () => {
    const etagged = () => Response.json(checkoutFixture(), { headers: { etag: '"one"' } })
    const fetchFake = vi.fn(async (_url: unknown, init?: RequestInit) => {
      if (new Headers(init?.headers).has('if-none-match')) throw new Error('HTTP 304')
      return etagged()
    })
    const api = createApi('/paywindow', fetchFake, globalThis)
    await api.read('c7', 'secret', signal)
    await expect(api.read('c7', 'secret', signal)).rejects.toMatchObject({ code: 'unreachable' })
    await expect(api.read('c7', 'secret', signal)).resolves.toMatchObject({ kind: 'status' })
  })

  it('sends cookies along to a merchant server of another origin', async () => {
    const fetchFake = vi.fn(async () => Response.json(keyed))
    await createApi('https://pay.shop.example/paywindow', fetchFake, globalThis).create({ reference: 'cart-42' })
    expect(fetchFake).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ credentials: 'include' }))
  })

  it('takes the offer where a method has to be chosen', async () => {
    const { api } = apiAnswering({ v: 1, offer: offerFixture })
    await expect(api.create({ reference: 'cart-42' })).resolves.toEqual({ kind: 'offer', offer: offerFixture })
  })
})

describe('failures', () => {
  it.each([
    ['a known code', { v: 1, error: { code: 'not_offered', message: 'no' } }, 404, 'not_offered'],
    ['an unknown code', { v: 1, error: { code: 'brand_new', message: 'no' } }, 418, 'invalid_answer'],
    ['HTML from a proxy in between', '<html>Bad gateway</html>', 502, 'unreachable'],
    ['HTML with 200', '<html>Log in first</html>', 200, 'invalid_answer'],
    ['half a body', '{"v":1,"id":', 200, 'invalid_answer'],
    ['an empty body', '', 200, 'invalid_answer'],
    ['the code of somebody else', { error: { code: 'not_found', message: 'no upstream' } }, 503, 'unreachable'],
    ['a path that somebody else does not know', { error: { code: 'not_found', message: 'no' } }, 404, 'invalid_answer'],
    ['a request that came too slowly', '', 408, 'unreachable'],
    ['a connection for another host', 'Misdirected', 421, 'unreachable'],
    ['a request that came too early', 'Too early', 425, 'unreachable'],
    ['too many requests without a body', '', 429, 'rate_limited'],
    ['a checkout without an address', { ...keyed, address: '' }, 200, 'invalid_answer'],
  ])('%s', async (_name, body, status, code) => {
    const { api } = apiAnswering(body, { status })
    expect(await codeOf(api.create({ reference: 'cart-42' }))).toBe(code)
  })

  it('keeps the name under which the merchant was told, also of a code that a later version has', async () => {
    const error = { code: 'brand_new', message: 'in its words', incident: 'ABC123' }
    const { api } = apiAnswering({ v: 1, error }, { status: 409 })
    await expect(api.create({ reference: 'cart-42' })).rejects.toMatchObject({
      code: 'invalid_answer',
      incident: 'ABC123',
      message: expect.stringContaining('in its words'),
    })
  })

  it('is unreachable when the connection is refused', async () => {
    const api = createApi('/paywindow', () => Promise.reject(new TypeError('Failed to fetch')), globalThis)
    expect(await codeOf(api.offer('cart-42'))).toBe('unreachable')
  })

  it('is unreachable when nothing is answered in time, and gives the request up', async () => {
    vi.useFakeTimers()
    let given: AbortSignal | null | undefined
    const api = createApi(
      '/paywindow',
      (_input, init) => {
        given = init?.signal
        return new Promise((_resolve, reject) => given?.addEventListener('abort', () => reject(given?.reason)))
      },
      globalThis,
    )
    const code = codeOf(api.read('c7', 'secret', signal))
    await vi.advanceTimersByTimeAsync(12_000)
    expect(await code).toBe('unreachable')
    expect(given?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it.each<[string, () => Promise<unknown>]>([
    ['nothing', () => new Promise(() => undefined)],
    ['an answer that never ends', async () => ({ headers: new Headers(), text: () => new Promise(() => undefined) })],
  ])('is unreachable where what stands in front of fetch knows no signal, and gives %s', async (_, answer) => {
    vi.useFakeTimers()
    const api = createApi('/paywindow', answer as typeof fetch, globalThis)
    const code = codeOf(api.read('c7', 'secret', signal))
    await vi.advanceTimersByTimeAsync(12_000)
    await expect(Promise.race([code, Promise.resolve('waits for ever')])).resolves.toBe('unreachable')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  it.each([
    ['7', undefined, 7000],
    ['999999', undefined, 300_000],
    ['soon', date, undefined],
    // Counted from the answer's own date, whatever time this device believes it is.
    ['Sat, 21 Nov 2026 09:59:00 GMT', date, 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', date, 30_000],
    ['Sat, 21 Nov 2026 12:00:00 GMT', date, 300_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', undefined, undefined],
  ])('reads Retry-After %s of an answer of %s as %s ms', async (header, answeredAt, retryAfterMs) => {
    const body = { v: 1, error: { code: 'service_unavailable', message: 'busy' } }
    const headers = { 'retry-after': header, ...(answeredAt && { date: answeredAt }) }
    const { api } = apiAnswering(body, { status: 503, headers })
    await expect(api.create({ reference: 'cart-42' })).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterMs,
    })
  })

  it('reads a date on a page whose library for dates has replaced Date.parse', async () => {
    vi.spyOn(Date, 'parse').mockReturnValue(null as never)
    const headers = { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date }
    const { api } = apiAnswering(
      { v: 1, error: { code: 'service_unavailable', message: 'busy' } },
      { status: 503, headers },
    )
    await expect(api.create({ reference: 'cart-42' })).rejects.toMatchObject({ retryAfterMs: 30_000 })
    vi.restoreAllMocks()
  })
})
