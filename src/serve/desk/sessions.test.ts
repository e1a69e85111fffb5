import { beforeEach, describe, expect, it } from 'vitest'
import { incomingOf } from '../../server/http/exchange.ts'
import { createMemoryStore } from '../../server/store/memory.ts'
import { hashPassword, isPasswordHash, isPasswordOf, makePassword } from './password.ts'
import { createSessions } from './sessions.ts'

let nowMs: number
beforeEach(() => {
  nowMs = Date.parse('2026-11-29T09:00:00.000Z')
})

it('a session is known to all servers of its shop, and over at all of them at once', async () => {
  const store = createMemoryStore(() => nowMs)
  const url = 'https://pay.shop.example/books/admin'
  const [one, two, changed] = [
    sessionsAt(url, { store }),
    sessionsAt(url, { store }),
    sessionsAt(url, { store, passwordHash: 'another' }),
  ]
  const signIn = async () => (await one.begin(from('a'), 'right'))?.split(';')[0]
  const first = from('b', await signIn())
  expect(await two.find(first)).toEqual(await one.find(first))
  await two.end(first)
  expect(await one.find(first)).toBeNull()
  const second = from('a', await signIn())
  expect(await changed.find(second)).toBeNull()
  expect(await one.find(second)).toBeNull()
})

it('a session that a clock has begun which was ahead does not last until that time', async () => {
  const { begin, find } = sessionsAt('https://pay.shop.example/books/admin')
  const cookie = (await begin(from('a'), 'right'))?.split(';')[0]
  nowMs -= 86_400_000
  expect(await find(from('a', cookie))).toBeNull()
})

const from = (client: string, cookie = '') =>
  incomingOf(new Request('https://pay.shop.example/books/admin', { headers: { client, cookie } }))

function sessionsAt(url: string, parts: Partial<Parameters<typeof createSessions>[0]> = {}) {
  const tried: string[] = []
  const sessions = createSessions({
    name: 'books',
    url: new URL(url),
    store: createMemoryStore(() => nowMs),
    passwordHash: 'hash',
    isPassword: async (_, given) => tried.push(given) > 0 && given === 'right',
    clientKey: ({ headers }) => headers.get('client') ?? undefined,
    now: () => nowMs,
    ...parts,
  })
  return { tried, ...sessions }
}

describe('tries', () => {
  it('are ten for a client in ten minutes, right or wrong, and come back one by one', async () => {
    const { begin, tried } = sessionsAt('https://pay.shop.example/books/admin')
    for (let at = 0; at < 10; at++) expect(await begin(from('a'), 'wrong')).toBeNull()
    await expect(begin(from('a'), 'right')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 })
    expect(await begin(from('b'), 'right')).toContain('desk=')
    expect(tried).toHaveLength(11)
    nowMs += 60_000
    expect(await begin(from('a'), 'right')).toContain('desk=')
  })

  it('are a hundred for all, so that many addresses are no way around', async () => {
    const { begin, find } = sessionsAt('https://pay.shop.example/books/admin')
    const cookie = (await begin(from('owner'), 'right'))?.split(';')[0]
    for (let at = 1; at < 100; at++) expect(await begin(from(`client-${at}`), 'wrong')).toBeNull()
    await expect(begin(from('another'), 'right')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await find(from('owner', cookie))).not.toBeNull()
  })

  it('of a client without a name share what one client has', async () => {
    const { begin } = sessionsAt('https://pay.shop.example/books/admin')
    const unnamed = incomingOf(new Request('https://pay.shop.example/books/admin'))
    for (let at = 0; at < 10; at++) await begin(unnamed, 'wrong')
    await expect(begin(unnamed, 'right')).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

it.each([
  [
    'https://pay.shop.example/books/admin',
    /^__Host-paywindow-books-desk=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  ],
  [
    'http://localhost:8080/books/admin',
    /^paywindow-books-desk=[\w-]{43}; Max-Age=28800; Path=\/books\/admin; HttpOnly; SameSite=Strict$/,
  ],
])('the cookie at %s stays with its host', async (url, cookie) => {
  expect(await sessionsAt(url).begin(from('a'), 'right')).toMatch(cookie)
})

it('a session is found by its own cookie alone, also among others', async () => {
  const { begin, find } = sessionsAt('http://localhost:8080/books/admin')
  const [pair = ''] = (await begin(from('a'), 'right'))?.split(';') ?? []
  expect(await find(from('a', `other=1; ${pair}; x=2`))).toEqual({ token: expect.stringMatching(/^[0-9a-f]{64}$/) })
  for (const cookie of ['', `x${pair}`, pair.slice(0, -1), `${pair.slice(0, -1)}_`, pair.replace('books', 'tea')])
    expect(await find(from('a', cookie))).toBeNull()
})

describe('a password', () => {
  it('is known by its hash, which is another each time', async () => {
    const hash = await hashPassword('ＰＡＳＳ word')
    expect(hash).toMatch(/^scrypt:15:8:3:[\w-]{22}:[\w-]{43}$/)
    expect(isPasswordHash(hash)).toBe(true)
    expect(await isPasswordOf(hash, 'PASS word')).toBe(true)
    for (const wrong of ['', 'PASS word ', 'pass word', hash]) expect(await isPasswordOf(hash, wrong)).toBe(false)
    expect(await hashPassword('ＰＡＳＳ word')).not.toBe(hash)
  })

  it('is made of letters that cannot be mistaken, and is not made twice', () => {
    const made = new Set(Array.from({ length: 1_000 }, makePassword))
    expect(made.size).toBe(1_000)
    for (const password of made) expect(password).toMatch(/^(?:[2-9a-hjkmnp-z]{5}-){3}[2-9a-hjkmnp-z]{5}$/)
  })

  const salt = 'A'.repeat(22)
  const key = 'A'.repeat(43)
  it.each([
    '',
    'secret',
    `scrypt:15:8:3:${salt}:`,
    `scrypt:10:8:1:${salt}:${key}`,
    `scrypt:20:8:1:${salt}:${key}`,
    `scrypt:15:32:1:${salt}:${key}`,
    `scrypt:15:8:9:${salt}:${key}`,
    `scrypt:15:8:0:${salt}:${key}`,
  ])('has no such hash: %s', (text) => expect(isPasswordHash(text)).toBe(false))
})
