import { afterEach, expect, it, vi } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import { secrets, wholeFile } from './config.testing.ts'
import { readConfig } from './config.ts'
import { createServer, openShop } from './server.ts'

afterEach(() => {
  vi.useRealTimers()
})

it.each<[string, Record<string, string>, number]>([
  ['/books/admin', { cookie: `__Host-paywindow-books-desk=${'a'.repeat(43)}` }, 500],
  ['/books/v1/payments?order=42', { authorization: `Bearer ${secrets.PAYWINDOW_BOOKS_API_SECRET}` }, 503],
])('%s is answered where the store hangs', async (path, headers, status) => {
  vi.useFakeTimers()
  const config = readConfig(JSON.stringify(wholeFile), secrets)
  const hung = () => new Promise<never>(() => undefined)
  const shops = config.shops.map((shop) =>
    openShop(shop, config, {
      store: { ...createMemoryStore(), read: hung, readMany: hung, list: hung },
      service: createSandbox().access,
      telemetry: undefined,
      log: () => undefined,
    }),
  )
  const request = new Request(`https://pay.shop.example${path}`, { headers })
  const answer = createServer(shops, 'file:///nowhere/').fetch(request)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.race([answer, undefined])).toMatchObject({ status })
})

it('says in the log why a payer could not be answered', async () => {
  const config = readConfig(JSON.stringify(wholeFile), secrets)
  const log: string[] = []
  const failing = () => Promise.reject(new Error('the disk is full'))
  const shops = config.shops.map((shop) =>
    openShop(shop, config, {
      store: { ...createMemoryStore(), read: failing, readMany: failing },
      service: createSandbox().access,
      telemetry: undefined,
      log: (line) => log.push(line),
    }),
  )
  const request = new Request('https://pay.shop.example/books/checkouts/c-1', { headers: { 'paywindow-key': 'key' } })
  expect((await createServer(shops, 'file:///nowhere/').fetch(request)).status).toBe(500)
  expect(log).toContainEqual(expect.stringMatching(/^books: internal: [^:]*: the disk is full \(incident \w{6}\)$/))
})
