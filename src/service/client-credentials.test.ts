import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure, order, query, setUp } from './client.testing.ts'
import { gives, setUpToken } from './token-endpoint.testing.ts'

const fails = () => new Response('', { status: 503 })

describe('clientCredentials', () => {
  it('asks once for all who ask at the same time, and afterwards', async () => {
    const { provider, clock, requests, get } = setUpToken((count) => gives(`t${count}`))
    const tokens = await clock.run(Promise.all(Array.from({ length: 100 }, () => provider.get())))
    expect(new Set([...tokens, await get()])).toEqual(new Set(['t1']))
    expect(requests).toHaveLength(1)
  })

  it.each<[string, object, number]>([
    ['a minute before its end', { expires_in: 3_600 }, 3_540_000],
    ['as text', { expires_in: '3600' }, 3_540_000],
    ['after four fifths of a short life', { expires_in: 100 }, 80_000],
    ['as an older page of the service calls it', { expiration: 86_400 }, 86_340_000],
    ['not sooner than 8 s, whatever it says', { expires_in: 0 }, 8_000],
  ])('renews a token %s', async (_, fields, renewedMs) => {
    const { get, pass, requests } = setUpToken((count) => gives(`t${count}`, fields))
    await get()
    await pass(renewedMs - 1)
    expect([await get(), requests.length]).toEqual(['t1', 1])
    await pass(1)
    // Nobody waits for the new one.
    expect(await get()).toBe('t1')
    expect([await get(), requests.length]).toEqual(['t2', 2])
  })

  it.each([{}, { expires_in: -1 }, { expires_in: 'soon' }, { expires_in: 1_800_000_000 }])(
    'keeps a token until it is refused where its life is not known: %j',
    async (fields) => {
      const { get, pass, requests } = setUpToken((count) => gives(`t${count}`, fields))
      await get()
      await pass(400 * 86_400_000)
      expect([await get(), requests.length]).toEqual(['t1', 1])
    },
  )

  it('does without the endpoint while the token holds, and says why once it has ended', async () => {
    const { provider, clock, get, pass, requests } = setUpToken((count) => (count === 1 ? gives('t1') : fails()))
    await get()
    await pass(3_540_000)
    for (let second = 0; second < 59; second += 1) {
      expect(await get()).toBe('t1')
      await pass(1_000)
    }
    // Asked after 0, 2, 6, 14 and 30 s.
    expect(requests).toHaveLength(6)
    await pass(1_000)
    const error = await clock.run(failure(provider.get()))
    expect(error.message).toMatch(/answered 503\. It is asked again in \d+ s$/)
    expect(requests).toHaveLength(6)
  })

  it('asks a failing endpoint less and less often, but every minute, and goes on when it works', async () => {
    const { provider, clock, get, pass, requests } = setUpToken((count) => (count <= 10 ? fails() : gives('t')))
    const atSeconds: number[] = []
    for (let second = 0; requests.length < 11; second += 1) {
      const before = requests.length
      await clock.run(provider.get().catch(() => undefined))
      if (requests.length > before) atSeconds.push(second)
      await pass(1_000)
    }
    expect(atSeconds).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242, 302, 362])
    expect(await get()).toBe('t')
  })

  it('waits for as long as the endpoint asks, up to five minutes', async () => {
    const refuses = (seconds: string) => new Response('', { status: 429, headers: { 'retry-after': seconds } })
    const { provider, clock, pass, requests } = setUpToken((count) => refuses(count === 1 ? '40' : '86400'))
    const ask = () => clock.run(failure(provider.get()))
    await ask()
    await pass(39_999)
    expect(await ask()).toMatchObject({ code: 'unavailable', retryAfterMs: 1 })
    await pass(1)
    await ask()
    await pass(299_999)
    await ask()
    expect(requests).toHaveLength(2)
    await pass(1)
    await ask()
    expect(requests).toHaveLength(3)
  })

  it('leaves a request behind that does not end, and asks again', async () => {
    const { clock, provider, get, pass, requests } = setUpToken((count) =>
      count === 1 ? new Promise<Response>(() => undefined) : gives('t2'),
    )
    await clock.run(failure(provider.get()))
    await pass(2_000)
    expect([await get(), requests.length]).toEqual(['t2', 2])
  })

  it('sends no more than it says, whoever asks when and whatever is refused', async () => {
    const step = fc.record({ ms: fc.nat(30_000), isRefused: fc.boolean(), asks: fc.integer({ min: 1, max: 5 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(5), async (steps, failing) => {
        const { provider, clock, pass, requests } = setUpToken((count) => (count <= failing ? fails() : gives('same')))
        for (const { ms, isRefused, asks } of steps) {
          await pass(ms)
          await clock.run(Promise.allSettled(Array.from({ length: asks }, () => provider.get())))
          if (isRefused) for (let at = 0; at < asks; at += 1) provider.refused('same')
        }
        const minutes = steps.reduce((sum, { ms }) => sum + ms, 0) / 60_000
        expect(requests.length).toBeLessThanOrEqual(failing + 2 + minutes)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a client with clientCredentials', () => {
  /** A service that accepts one token, and its endpoint, which gives what `issue` says. */
  function service(issue: (count: number) => Response) {
    const accepted = { token: 't1' }
    const tokens = setUpToken(issue)
    const isRight = (request: Request) => request.headers.get('authorization') === `Bearer ${accepted.token}`
    const { client, requests } = setUp(
      (request) =>
        isRight(request)
          ? Response.json({ message: '', orders: [], page: 1, size: 10, total_pages: 1 })
          : new Response('{}', { status: 401 }),
      { accessToken: tokens.provider, clock: tokens.clock, retries: 0 },
    )
    return {
      ...tokens,
      accepted,
      list: () => client.listOrders(query),
      create: () => client.createOrder(order),
      requests,
    }
  }

  it('goes on with a new token after a 401, however many requests met it', async () => {
    const { accepted, list, clock, requests } = service((count) => gives(`t${count}`))
    await clock.run(list())
    accepted.token = 't2'
    await clock.run(Promise.all([list(), list(), list()]))
    expect(
      requests
        .map(({ headers }) => headers.authorization?.slice(-2))
        .sort()
        .join(' '),
    ).toBe('t1 t1 t1 t1 t2 t2 t2')
  })

  it('asks for no more than one token a minute where the service refuses all of them', async () => {
    const { accepted, list, clock, pass, requests } = service((count) => gives(`t${count}`))
    accepted.token = 'none'
    for (let second = 0; second < 120; second += 1) {
      expect((await clock.run(failure(list()))).code).toBe('unauthorized')
      await pass(1_000)
    }
    // The first one, and one in each minute.
    expect(requests).toHaveLength(120 + 2)
  })

  it('says that the token endpoint failed, and that nothing was created', async () => {
    const { create, clock, requests } = service(fails)
    const error = await clock.run(failure(create()))
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'not_done' })
    expect(error.message).toContain('The token endpoint')
    expect(requests).toEqual([])
  })

  it('checks what another provider gives', async () => {
    const evil = { get: async () => 'a b', refused: () => false }
    const { client } = setUp(() => new Response('{}'), { accessToken: evil })
    expect((await failure(client.listOrders(query))).message).toBe('The accessToken provider gave no usable token')
    const broken = { get: () => Promise.reject(new Error('vault')), refused: () => false }
    const { client: other } = setUp(() => new Response('{}'), { accessToken: broken })
    expect((await failure(other.listOrders(query))).message).toBe('The accessToken provider failed')
    expect(() => setUp(() => new Response(), { accessToken: Object.assign({}) })).toThrow('clientCredentials')
  })
})
