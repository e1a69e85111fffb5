import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { askForPayment, secrets, wholeFile } from '../serve/config.testing.ts'
import { freePort } from '../server/store/losing-replies.testing.ts'
import { listen } from './listen.ts'
import { run } from './program.ts'
import { makeFolder, setUp, startIn } from './world.testing.ts'

let folder: string
beforeEach(() => {
  folder = makeFolder()
})

const write = (file: object) => writeFileSync(join(folder, 'paywindow.json'), JSON.stringify(file))
const check = (env: Record<string, string> = secrets, ...line: string[]) =>
  setUp().command(['serve', '--check', ...line], env, fetch, folder)

// Their packages are not installed in a folder of the tests.
const { metricsPort: _, ...withoutMetrics } = wholeFile

it('--check says what would be served, and no secret', async () => {
  write(wholeFile)
  const { code, stdout, stderr } = await check()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(`paywindow.json is right. It would serve:

books
  service  https://service.example, sub-account sub-1
  money    real
  page     https://pay.shop.example/books/pay?link=…
  API      https://pay.shop.example/books/v1/payments
  events   https://shop.example
  webhook  https://pay.shop.example/books/webhook
  desk     https://pay.shop.example/books/admin
  store    data/shops-books.sqlite

tea-house
  service  the sandbox
  money    TEST: no real money, and payers are told so
  page     https://pay.shop.example/tea-house/pay?link=…
  API      https://pay.shop.example/tea-house/v1/payments
  events   off: ask the API
  webhook  off, because PAYWINDOW_TEA_HOUSE_WEBHOOK_SECRET is not set
  desk     off, because PAYWINDOW_TEA_HOUSE_ADMIN_PASSWORD_HASH is not set
  store    memory, as the sandbox
`)
})

it('--check warns where a proxy is likely and not named', async () => {
  write({ ...wholeFile, trustedProxies: 0 })
  expect((await check()).stdout).toContain('trustedProxies is 0: if a proxy is in front')
})

it('--check warns of real money without encryption', async () => {
  const warning = 'publicUrl is not https: whoever is between can read passwords'
  write({ ...wholeFile, publicUrl: 'http://pay.shop.example' })
  expect((await check()).stdout).toContain(warning)
  write({ ...wholeFile, publicUrl: 'http://localhost:8080', shops: { 'tea-house': wholeFile.shops['tea-house'] } })
  expect((await check()).stdout).not.toContain(warning)
})

it('--check names the database of a shop without its password', async () => {
  write(wholeFile)
  const { stdout } = await check({ ...secrets, PAYWINDOW_STORE: 'postgres://shop:password@database/shop' })
  expect(stdout).toContain('store    Postgres, schema paywindow_books')
  expect(stdout).not.toContain('password')
})

it.each<[string, object | string, RegExp]>([
  ['no file', '', /^paywindow: missing\.json cannot be read \(ENOENT\): name the file with --config\.\n$/],
  ['a wrong field', { ...wholeFile, port: -1 }, /^paywindow: paywindow\.json: port must be the port to listen on/],
  [
    'a wrong coin',
    {
      ...wholeFile,
      shops: { books: { ...wholeFile.shops.books, methods: [{ asset: 'EUR', network: 'sepa', name: 'Euro' }] } },
    },
    /^paywindow: paywindow\.json: shops\.books: EUR is a fiat currency/,
  ],
])('--check ends with 2 for %s', async (_, file, message) => {
  if (typeof file === 'object') write(file)
  const { code, stdout, stderr } = await check(
    secrets,
    ...(typeof file === 'object' ? [] : ['--config', 'missing.json']),
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})

it('serves a shop of a real service on its own file, until it is asked to end', async () => {
  const sandbox = createSandbox({ accessToken: secrets.PAYWINDOW_BOOKS_ACCESS_TOKEN, subAccountIds: ['sub-1'] })
  const service = await listen(sandbox.fetch, 0)
  onTestFinished(service.close)
  const { books } = wholeFile.shops
  const baseUrl = `http://127.0.0.1:${service.port}`
  write({
    ...withoutMetrics,
    port: 0,
    shops: { books: { ...books, test: true, service: { ...books.service, baseUrl } } },
  })
  const served = startIn((world) => run(['serve'], { ...world, env: secrets, folder }))
  const [, port] = await served.said(/Paywindow serves port (\d+)/)
  const made = await askForPayment(port)
  expect(made.status).toBe(201)
  expect(statSync(join(folder, 'data/shops-books.sqlite')).mode & 0o777).toBe(0o600)
  expect(await served.end()).toBe(0)
  for (const secret of Object.values(secrets)) expect(served.stderr()).not.toContain(secret)
})

it('ends with what is wrong where the folder of its store cannot be made', async () => {
  write({ ...withoutMetrics, port: 0, store: 'file/paywindow.sqlite' })
  writeFileSync(join(folder, 'file'), '')
  const { code, stderr } = await setUp().command(['serve', '--sandbox-port', '0'], secrets, fetch, folder)
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^paywindow: The store \S+ cannot be used: EEXIST.*\n$/)])
})

it('says how much of a payment has come to the sandbox, before it is confirmed', async () => {
  const { events, ...books } = wholeFile.shops.books
  const publicUrl = 'http://localhost:8080'
  write({ ...withoutMetrics, publicUrl, port: 0, shops: { books: { ...books, service: 'sandbox', test: true } } })
  const served = startIn((world) => run(['serve', '--sandbox-port', '0'], { ...world, env: secrets, folder }))
  const [, port] = await served.said(/Paywindow serves port (\d+)/)
  const [, sandbox] = await served.said(/--sandbox (\S+)/)
  const { url } = (await (await askForPayment(port)).json()) as { readonly url: string }
  const link = url.replace('8080', `${port}`)
  const first = await fetch(link)
  const own = {
    origin: publicUrl,
    cookie: first.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    'x-forwarded-for': '::1',
  }
  const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
  expect((await fetch(link, { method: 'POST', headers: own, body, redirect: 'manual' })).status).toBe(303)
  const [order] = (await (await fetch(`${sandbox}/sandbox/orders`)).json()) as [{ readonly wallet_address: string }]
  const deposit = { address: order.wallet_address, amount: '0.0001' }
  await fetch(`${sandbox}/sandbox/deposits`, { method: 'POST', body: JSON.stringify(deposit) })
  const headers = { authorization: `Bearer ${secrets.PAYWINDOW_BOOKS_API_SECRET}` }
  const expected = { phase: 'seen', received: { deposit: { asset: 'BTC', amount: '0.0001' }, price: null } }
  await vi.waitFor(
    async () => {
      await fetch(link, { headers: own })
      const answer = await fetch(`http://127.0.0.1:${port}/books/v1/payments?order=42`, { headers })
      expect(await answer.json()).toMatchObject({ payments: [expected] })
    },
    { timeout: 20_000, interval: 100 },
  )
})

it('says which port cannot be used, and closes what it has opened', async () => {
  const taken = await listen(async () => new Response(), 0)
  onTestFinished(taken.close)
  const sandboxPort = await freePort()
  const { 'tea-house': shop } = wholeFile.shops
  write({ ...withoutMetrics, port: taken.port, shops: { 'tea-house': shop } })
  const line = ['serve', '--sandbox-port', `${sandboxPort}`]
  const { code, stderr } = await setUp().command(line, secrets, fetch, folder)
  expect([code, stderr]).toEqual([
    1,
    `paywindow: Port ${taken.port} cannot be used (EADDRINUSE): choose another with port in the file.\n`,
  ])
  await expect(fetch(`http://127.0.0.1:${sandboxPort}/sandbox/orders`)).rejects.toThrow('fetch failed')
})

it('says which packages metrics need', async () => {
  const { 'tea-house': shop } = wholeFile.shops
  write({ ...wholeFile, port: 0, metricsPort: 0, shops: { 'tea-house': shop } })
  const { code, stderr } = await setUp().command(['serve', '--sandbox-port', '0'], secrets, fetch, folder)
  expect([code, stderr]).toEqual([
    2,
    `paywindow: metricsPort needs packages that are not installed in ${folder}: npm install @opentelemetry/api @opentelemetry/sdk-metrics @opentelemetry/exporter-prometheus\n`,
  ])
})
