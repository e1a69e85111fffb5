import { expect, it } from 'vitest'
import { incomingOf } from '../server/http/exchange.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import { systemClock } from '../service/clock.ts'
import { createPayments } from './payments.ts'

const secret = 'api-secret-of-books-0123456789abcdef'
const day = 86_400_000

it('takes a key after its day as a new one, however few payments are made', async () => {
  let nowMs = Date.UTC(2026, 10, 21)
  let links = 0
  const answer = createPayments({
    paywindow: {
      link: async ({ validForMs }) => ({
        url: `https://pay.example/${++links}`,
        expiresAtMs: nowMs + validForMs,
        code: '',
      }),
      revokeLinks: () => Promise.reject(new Error('nobody asks')),
      checkouts: { get: async () => undefined, list: async () => [] },
    },
    store: createMemoryStore(),
    secrets: [secret],
    refused: (_, what) => {
      throw new Error(what)
    },
    report: (error) => {
      throw error
    },
    clock: { ...systemClock, now: () => nowMs },
  })
  const ask = async (amount: string) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-42',
    }
    const body = JSON.stringify({ order: '42', amount, asset: 'EUR' })
    const request = new Request('https://pay.example/books/v1/payments', { method: 'POST', headers, body })
    const { status, body: text } = await answer(incomingOf(request))
    return [status, (JSON.parse(`${text}`) as { readonly url?: string }).url]
  }

  expect(await ask('49.90')).toEqual([201, 'https://pay.example/1'])
  nowMs += day - 1
  expect(await ask('49.90')).toEqual([201, 'https://pay.example/1'])
  expect((await ask('59.90'))[0]).toBe(409)
  nowMs += 1
  const [one, other] = await Promise.all([ask('59.90'), ask('59.90')])
  expect(one?.[0]).toBe(201)
  expect(one?.[1]).not.toBe('https://pay.example/1')
  expect(other).toEqual(one)
  expect((await ask('49.90'))[0]).toBe(409)
})

it.each([
  ['POST', '', { order: ' ' }],
  ['POST', '', { order: '\u3000\u00a0' }],
  ['POST', '', { number: ' ' }],
  ['POST', '', '{"order":"42","amount":"1","asset":"EUR","amount":"2"}'],
  ['GET', '?order=%20', undefined],
  ['GET', '?order=42%E2%80%8B', undefined],
  ['DELETE', '?order=%20', undefined],
  ['DELETE', '?order=42%E2%80%8B', undefined],
])('%s %s %j is refused: nobody can tell which order or amount it is', async (method, search, changes) => {
  const nobody = () => Promise.reject(new Error('nobody asks'))
  const answer = createPayments({
    paywindow: { link: nobody, revokeLinks: nobody, checkouts: { get: nobody, list: nobody } },
    store: createMemoryStore(),
    secrets: [secret],
    refused: nobody,
    report: (error) => {
      throw error
    },
  })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'idempotency-key': 'a' }
  const payment = { order: '42', amount: '1', asset: 'EUR' }
  const body = typeof changes === 'object' ? JSON.stringify({ ...payment, ...changes }) : changes
  const request = new Request(`https://pay.example/books/v1/payments${search}`, {
    method,
    headers,
    ...(body && { body }),
  })
  expect(await answer(incomingOf(request))).toMatchObject({ status: 400 })
})
